import { expect, test } from 'vitest';
import { type Failure, Ground, type PageFacts } from '../ground.ts';
import { article } from '../site.ts';

interface Many {
  items: (Partial<PageFacts> & { url: string; failure?: Failure })[];
  failed: number;
  remaining?: number;
}

const ground = new Ground();
const { site } = ground;

test('each page succeeds or fails by itself, in the order of the addresses', async () => {
  const urls = [
    site.page('/one', article(1)),
    site.url('/none'),
    site.page('/two', '{"a":[1,2]}', 'application/json'),
  ];
  const { facts, failed, text } = await ground.use<Many>('fetch_many', {
    urls: [...urls, 'ftp://a.example/'],
  });
  expect(failed).toBe(false);
  expect(facts.failed).toBe(2);
  expect(facts.items.map(({ url }) => url)).toEqual([...urls, 'ftp://a.example/']);
  expect(facts.items.map(({ failure }) => failure?.code)).toEqual([
    undefined,
    'http-status',
    undefined,
    'scheme-refused',
  ]);
  expect(facts.items[0]).toMatchObject({ title: 'Kettles', kind: 'html', from: 'network', untrusted: true });
  expect(facts.items[1]!.failure).toMatchObject({ status: 404, retryable: false });
  expect(facts.items[2]!.content).toContain('"a"');
  for (const { content } of facts.items) if (content !== undefined) expect(text).toContain(content);
  expect(text).toContain('the server responds with status 404');
});

test('an error response is returned with the beginning of its text', async () => {
  site.paths.set('/broken', (_, response) =>
    response.writeHead(500, { 'content-type': 'text/plain' }).end('the kettle has boiled dry'),
  );
  const urls = [site.page('/one', article(1)), site.url('/broken')];
  const { facts, text } = await ground.use<Many>('fetch_many', { urls });
  expect(facts.items[1]!.failure).toMatchObject({ code: 'http-status', status: 500 });
  expect(text).toMatch(/status 500[\s\S]*untrusted data[\s\S]*the kettle has boiled dry/);
});

test('a call without any success is a failure', async () => {
  const { failed, facts } = await ground.use<Many>('fetch_many', {
    urls: [site.url('/no'), site.url('/nor')],
  });
  expect([failed, facts.failed]).toEqual([true, 2]);
});

test('the beginnings of long pages are returned, each with its next start', async () => {
  const url = site.page('/long', article(40));
  const { facts } = await ground.use<Many>('fetch_many', { urls: [url], max_length: 700 });
  const [item] = facts.items;
  expect(item!.content!.length).toBeLessThanOrEqual(700);
  const rest = await ground.use('fetch', { url, start_index: item!.next_start_index });
  expect(rest.facts.start_index).toBe(item!.next_start_index);
  expect(item!.next_start_index).toBeLessThanOrEqual(700);
});

test('a URL that is given twice is requested once, and progress counts finished pages', async () => {
  const url = site.page('/twice', article(1));
  const heard: (number | undefined)[][] = [];
  await ground.use<Many>(
    'fetch_many',
    { urls: [url, url, url] },
    { onProgress: ({ progress, total }) => heard.push([progress, total]) },
  );
  expect(site.asked).toEqual(['/twice']);
  expect(heard.at(-1)).toEqual([3, 3]);
});

test('URLs without room in a small result are counted, and not requested', async () => {
  const client = await ground.client({ maxOutput: 2048 });
  const urls = [1, 2, 3, 4].map((index) => site.page(`/small-${index}`, article(3)));
  const { structuredContent } = await client.callTool('fetch_many', { urls });
  const { items, remaining } = structuredContent as unknown as Many; // the members of its schema
  expect([items.length, remaining]).toEqual([2, 2]);
  expect(site.asked.toSorted()).toEqual(['/small-1', '/small-2']);
});
