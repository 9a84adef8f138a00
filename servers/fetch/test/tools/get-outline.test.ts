import { expect, test } from 'vitest';
import { Ground, type PageFacts } from '../ground.ts';
import { article } from '../site.ts';

interface Outline extends PageFacts {
  sections: { number: string; level: number; text: string; start_index: number; length: number }[];
  truncated: boolean;
}

const ground = new Ground();
const { site } = ground;

test('headings come with where their sections are, and fetch reads one by its number or its heading', async () => {
  const url = site.page('/kettles', article(5), 'text/html', { 'cache-control': 'max-age=60' });
  const { facts, text } = await ground.use<Outline>('get_outline', { url });
  expect(facts.sections.map(({ number, text }) => `${number} ${text}`)).toEqual([
    '1 Kettles',
    ...[0, 1, 2, 3, 4].map((index) => `1.${index + 1} Part ${index}`),
  ]);
  expect(text).toContain('1.3 Part 2');
  const section = facts.sections[3]!;
  for (const name of ['1.3', 'Part 2']) {
    const read = await ground.use('fetch', { url, section: name });
    expect(read.facts.start_index).toBe(section.start_index);
    expect(read.facts.content).toMatch(/^## Part 2[\s\S]*Section 2 speaks/);
    expect(read.facts.content).not.toContain('Section 3 speaks');
    expect(read.facts.content.length).toBe(section.length);
  }
  expect(site.asked).toEqual(['/kettles']);
});

test('an unknown section is a failure with the existing ones', async () => {
  const url = site.page('/kettles', article(2));
  const { failed, facts } = await ground.use('fetch', { url, section: 'Teapots' });
  expect([failed, facts.failure?.code]).toEqual([true, 'not-found']);
  expect(facts.failure?.hint).toMatch(/outline|section/);
});

test('a page without headings has an empty outline', async () => {
  const url = site.page('/plain', 'only text', 'text/plain');
  const { facts, failed } = await ground.use<Outline>('get_outline', { url });
  expect([failed, facts.sections, facts.truncated, facts.total_length]).toEqual([false, [], false, 9]);
});

test('headings without room in a result are left out, and this is reported', async () => {
  const url = site.page('/many', article(4000));
  const { facts, text } = await ground.use<Outline>('get_outline', { url });
  expect(facts.truncated).toBe(true);
  expect(facts.sections.length).toBeGreaterThan(500);
  expect(text).toContain('Further headings are left out.');
});
