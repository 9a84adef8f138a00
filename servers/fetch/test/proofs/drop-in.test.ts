import { expect, test } from 'vitest';
import { Ground, type PageFacts } from '../ground.ts';
import { call } from '../harness.ts';
import { article } from '../site.ts';

const ground = new Ground();
const { site } = ground;
const fetchPage = (args: Record<string, unknown>) => ground.use('fetch', args);

/** The arguments of the official server with their defaults. */
const official = {
  max_length: { usual: 5000, least: 1, most: 999_999 },
  start_index: { usual: 0, least: 0, most: undefined },
  raw: { usual: false },
} as const;

test('every argument of the official server exists, with its bounds, and only the URL is required', async () => {
  const client = await ground.client();
  const tool = (await client.listTools()).find(({ name }) => name === 'fetch')!;
  const { properties = {}, required } = tool.inputSchema as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  expect(required).toEqual(['url']);
  expect(properties.url).toMatchObject({ type: 'string' });
  expect(properties.raw).toMatchObject({ type: 'boolean' });
  for (const name of ['max_length', 'start_index'] as const) {
    const { least, most } = official[name];
    expect(properties[name]).toMatchObject({ type: 'integer', minimum: least });
    if (most !== undefined) expect(properties[name]).toMatchObject({ maximum: most });
  }
  const [prompt] = (await client.listPrompts()).filter(({ name }) => name === 'fetch');
  expect(prompt!.arguments).toMatchObject([{ name: 'url', required: true }]);
});

test('a missing argument has the same default', async () => {
  const url = site.page('/usual', article(60));
  const [bare, explicit] = [
    await fetchPage({ url }),
    await fetchPage({ url, max_length: 5000, start_index: 0, raw: false }),
  ];
  expect(explicit.facts.content).toBe(bare.facts.content);
  expect(bare.facts.content.length).toBeLessThanOrEqual(5000);
  expect(bare.facts.content.length).toBeGreaterThan(4000);
});

test('a model that reads only the text is led from part to part, and told where the page ends', async () => {
  const url = site.page('/led', article(60));
  let start: number | undefined = 0;
  let parts = 0;
  let last = '';
  while (start !== undefined) {
    const { text, facts } = await fetchPage({ url, start_index: start });
    parts += 1;
    last = text;
    const hinted = /call fetch with start_index (\d+)/.exec(text)?.[1];
    expect(facts.next_start_index).toBe(hinted === undefined ? undefined : Number(hinted));
    start = facts.next_start_index;
  }
  expect(parts).toBeGreaterThan(3);
  expect(last).not.toContain('More follows');
  const { failed, text, facts } = await fetchPage({ url, start_index: 999_999 });
  expect([failed, facts.content]).toEqual([false, '']);
  expect(text).toMatch(/The text ends at \d+/);
});

test('one User-Agent for all requests, of programs and of users', async () => {
  const agents: (string | undefined)[] = [];
  site.paths.set('/named', (request, response) => {
    agents.push(request.headers['user-agent']);
    response.writeHead(200, { 'content-type': 'text/html' }).end(article(1));
  });
  const client = await ground.client({ extra: { 'user-agent': 'Known/1.0' } });
  await call<PageFacts>(client, 'fetch', { url: site.url('/named') });
  await client.getPrompt('fetch', { url: site.url('/named') });
  expect(agents).toEqual(['Known/1.0', 'Known/1.0']);
});
