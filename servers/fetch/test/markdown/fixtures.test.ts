import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { convertHtml } from '../../src/markdown/convert.ts';

const folder = new URL('../fixtures/markdown/', import.meta.url);
const base = 'https://example.com/dir/page.html';
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.slice(0, -'.html'.length));

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

describe('a page becomes the Markdown of its fixture', () => {
  test('there are at least sixty pages', () => {
    expect(cases.length).toBeGreaterThan(60);
  });

  test.each(cases)('%s', (name) => {
    expect(`${convertHtml(read(`${name}.html`), { base }).text}\n`).toBe(read(`${name}.md`));
  });
});
