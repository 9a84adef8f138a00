import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { Ground } from '../ground.ts';
import { article } from '../site.ts';

const ground = new Ground();
const { site } = ground;
const KEPT = { 'cache-control': 'max-age=600' };
const long = 'kettle-'.repeat(60);
const data = JSON.stringify(
  Array.from({ length: 50 }, (_, at) => ({ '@type': 'Thing', name: `${at} ${long}` })),
);
const letters = '<h2>漢"字\\</h2><p>漢字漢"字\\漢字 kettles and 漢字</p>'.repeat(1500);

/** Returns pages of which every part is long. */
function pages(): string[] {
  const path = `/${long}`;
  site.paths.set(`${path}moved`, (_, response) => response.writeHead(302, { location: `${path}page` }).end());
  site.paths.set(`${path}broken`, (_, response) => response.writeHead(500).end('漢"字'.repeat(5000)));
  return [
    site.page(
      `${path}page`,
      article(400).replace(
        '</title>',
        `${long}</title><meta name="author" content="${long}"><script type="application/ld+json">${data}</script>`,
      ),
      'text/html',
      { ...KEPT, etag: `"${long}"` },
    ),
    site.url(`${path}moved`),
    site.url(`${path}broken`),
    site.page('/letters', `<title>漢字</title><main>${letters}</main>`, 'text/html', KEPT),
    site.page(
      '/json',
      JSON.stringify(Array.from({ length: 80 }, (_, at) => ({ [`${long}${at}`]: at }))),
      'application/json',
    ),
    site.page(
      '/links',
      `<main>${Array.from({ length: 900 }, (_, at) => `<a href="/${long}${at}">${long}</a>`).join(' ')}</main>`,
    ),
    site.page(
      '/headings',
      `<main>${Array.from({ length: 900 }, (_, at) => `<h2>${long}${at}</h2><p>Some words</p>`).join('')}</main>`,
    ),
    site.page('/zip', Buffer.from('504b0304000000ff', 'hex'), 'application/zip'),
  ];
}

const calls = (url: string): readonly (readonly [string, Record<string, unknown>])[] => [
  ['fetch', { url, max_length: 900_000 }],
  ['fetch', { url, max_length: 900_000, start_index: 77 }],
  ['fetch', { url, raw: true, max_length: 900_000 }],
  ['fetch', { url, full: true, max_length: 900_000 }],
  ['get_outline', { url }],
  ['find_in_page', { url, query: 'kettle', limit: 200, context_lines: 10 }],
  ['list_links', { url, limit: 1000 }],
  ['get_metadata', { url }],
  ['compare_page', { url }],
  ['fetch_many', { urls: [url, 'no address', url], max_length: 100_000 }],
];

test.each(sampled([1024, 4096, 102_400], 3))(
  'each half of every result stays within %i bytes',
  async (maxOutput) => {
    const client = await ground.client({ maxOutput });
    for (const url of pages()) {
      for (const [tool, args] of calls(url)) {
        const { content, structuredContent } = await client.callTool(tool, args);
        for (const half of [content, structuredContent])
          expect(
            Buffer.byteLength(JSON.stringify(half)),
            `${tool} of ${url.slice(-60)}: ${JSON.stringify(half)}`,
          ).toBeLessThanOrEqual(maxOutput);
      }
    }
  },
);

test.each([1024, 4096])(
  'results of download and request stay within %i bytes, failures too',
  async (maxOutput) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-fetch-test-')));
    try {
      const client = await ground.client({
        maxOutput,
        roots: [root],
        elicitation: { form: () => ({ action: 'accept' }) },
      });
      const folder = join(root, ...Array<string>(4).fill(`漢 ${long.slice(0, 150)}`));
      mkdirSync(folder, { recursive: true });
      const type = `text/plain; x="${long}"`;
      site.page(`/${long}saved`, 'the kettle', type, {
        'content-disposition': `attachment; filename="${long.slice(0, 200)}"`,
      });
      for (const page of ['saved', 'broken', 'moved', 'missing']) {
        const url = site.url(`/${long}${page}`);
        const results = [
          await client.callTool('download', { url }),
          await client.callTool('download', { url, path: `${folder}/${page}` }),
          await client.callTool('request', { url, method: 'GET' }),
          await client.callTool('request', { url, method: 'POST', body: 'x' }),
        ];
        for (const { content, structuredContent = {} } of results)
          for (const half of [content, structuredContent])
            expect(Buffer.byteLength(JSON.stringify(half)), JSON.stringify(half)).toBeLessThanOrEqual(
              maxOutput,
            );
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);

test('a page is read to its end within 1 KB of each result', async () => {
  const url = site.page('/short', article(2), 'text/html', KEPT);
  const client = await ground.client({ maxOutput: 1024 });
  const whole = (await ground.use('fetch', { url })).facts.content;
  const parts: string[] = [];
  let start: number | undefined = 0;
  while (start !== undefined) {
    const { structuredContent } = await client.callTool('fetch', { url, start_index: start });
    const part = structuredContent as { content: string; next_start_index?: number }; // the members of its schema
    expect(part.content.length).toBeGreaterThan(50);
    parts.push(part.content);
    start = part.next_start_index;
  }
  expect(parts.join('')).toBe(whole);
});
