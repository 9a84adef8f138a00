import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { Site } from '../site.ts';

const served = new Served('file');
let site: Site;
let client: Client;

beforeAll(async () => {
  site = await new Site().start();
  // the newest revision has no ping
  client = await served.client({ revision: '2025-11-25', extra: { 'allow-private': [site.host] } });
});
afterAll(() => site.close());

const repeated = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('');
const html = (body: string): readonly [string, string] => [
  `<p>Begin</p>${body}<p>End of it</p>`,
  'text/html',
];

/** Pages on which other converters overflow, hang or stop. */
const pages: Readonly<Record<string, readonly [content: string, type: string]>> = {
  'a cell over a million columns': html('<table><tr><td colspan=1000000 rowspan=1000000>a<td>b</table>'),
  'ten thousand nested boxes': html('<div>'.repeat(10_000)),
  'three thousand nested lists': html('<ul><li>'.repeat(3000)),
  'twenty thousand open tags': html('<b>'.repeat(20_000)),
  'a table of five thousand rows': html(`<table>${repeated(5000, (at) => `<tr><td>${at}<td>b`)}</table>`),
  'fifty thousand links': html(repeated(50_000, (at) => `<a href="/${at}">link</a> `)),
  'ten thousand nested tables': html('<table><tr><td>'.repeat(10_000)),
  'a megabyte of spaces that do not break': html('\u00a0'.repeat(500_000)),
  'a hundred thousand style rules': html(
    `<style>${repeated(100_000, (at) => `.a${at}>b{display:none}`)}</style>`,
  ),
  'a tag of two megabytes': html(`<p class="${'x '.repeat(1_000_000)}">`),
  'half a million entities': html('&amp;'.repeat(500_000)),
  'a hundred thousand open comments': html('<!--'.repeat(100_000)),
  'JSON that is nested a hundred thousand times': [
    '['.repeat(100_000) + ']'.repeat(100_000),
    'application/json',
  ],
  'XML with entities that multiply': [
    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${repeated(9, (at) => `<!ENTITY b${at} "${`&${at === 0 ? 'a' : `b${at - 1}`};`.repeat(10)}">`)}]><a>&b8;</a>`,
    'application/xml',
  ],
  'a feed of fifty thousand items': [
    `<rss version="2.0"><channel><title>All</title>${repeated(50_000, (at) => `<item><title>${at}</title></item>`)}</channel></rss>`,
    'application/rss+xml',
  ],
  'a table of commas': [`${','.repeat(5000)}\n`.repeat(300), 'text/csv'],
  'Markdown of markers': ['*_`[]('.repeat(200_000), 'text/markdown'],
};

test.each(Object.entries(pages))('%s is answered, and others before it', async (_name, [content, type]) => {
  const path = '/hostile';
  const order: string[] = [];
  let sent: Promise<void> | undefined;
  const asked = new Promise<void>((resolve) => {
    site.paths.set(path, (_, response) => {
      response.writeHead(200, { 'content-type': type });
      sent = new Promise((done) => response.end(content, done));
      resolve();
    });
  });
  const url = site.url(path);
  const page = call<{ failure?: { code: string } }>(client, 'fetch', { url });
  const read = page.then(() => order.push('page'));
  await asked;
  await sent;
  await client.ping();
  order.push('ping');
  await read;
  expect(order).toEqual(['ping', 'page']);
  const { facts, failed, text } = await page;
  // a slow machine may reach the deadline for the largest pages, and reports it
  expect([undefined, 'timeout']).toContain(facts.failure?.code);
  expect(failed).toBe(facts.failure !== undefined);
  expect(text).not.toBe('');
});
