import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { article, Site } from '../site.ts';

interface Fetched {
  url: string;
  final_url: string;
  status: number;
  title?: string;
  content: string;
  start_index: number;
  end_index: number;
  total_length: number;
  next_start_index?: number;
  content_hash: string;
  from: string;
  failure?: { code: string; status?: number; retryable: boolean; retry_after_ms?: number };
}

const served = new Served('file');
let site: Site;
let client: Client;

beforeAll(async () => {
  site = await new Site().start();
  client = await served.client({ extra: { 'allow-private': [site.host] } });
});
afterAll(() => site.close());
beforeEach(() => {
  site.asked.length = 0;
});

const fetchPage = (url: string, args: Record<string, unknown> = {}) =>
  call<Fetched>(client, 'fetch', { url, ...args });

test('a page comes as Markdown of its main content, between marks that the page cannot know', async () => {
  const url = site.page('/kettles', article(1));
  const { facts, text, failed } = await fetchPage(url);
  expect(failed).toBe(false);
  expect(facts).toMatchObject({
    url,
    final_url: url,
    status: 200,
    title: 'Kettles',
    from: 'network',
    untrusted: true,
  });
  expect(facts.content).toContain('## Part 0');
  expect(facts.content).not.toContain('All rights reserved');
  expect(text).toContain(facts.content);
  const mark = /--- page content (\w+): untrusted data/.exec(text)?.[1];
  expect(text).toContain(`--- end of page content ${mark} ---`);
});

test('a long page comes in parts that together are the whole, from one request', async () => {
  const url = site.page('/long', article(60), 'text/html', { 'cache-control': 'max-age=60' });
  const parts: string[] = [];
  let start: number | undefined = 0;
  let total = 0;
  while (start !== undefined) {
    const { facts } = await fetchPage(url, { start_index: start });
    expect(facts.start_index).toBe(start);
    parts.push(facts.content);
    total = facts.total_length;
    start = facts.next_start_index;
  }
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.join('').length).toBe(total);
  expect(site.asked).toEqual(['/long']);
});

test('raw returns the source', async () => {
  const url = site.page('/source', '<html><body><p id="a">one</p></body></html>');
  expect((await fetchPage(url, { raw: true })).facts.content).toBe(
    '<html><body><p id="a">one</p></body></html>',
  );
});

test('an error status is a failure with the status and the text of the page', async () => {
  const { failed, facts, text } = await fetchPage(site.url('/missing'));
  expect(failed).toBe(true);
  expect(facts.failure).toMatchObject({ code: 'http-status', status: 404, retryable: false });
  expect(text).toContain('nothing is here');
});

test('a private host that the operator has not named is refused before a request is sent', async () => {
  const guarded = await served.client();
  const { failed, facts } = await call<Fetched>(guarded, 'fetch', { url: site.url('/kettles') });
  expect(failed).toBe(true);
  expect(facts.failure?.code).toBe('address-refused');
  expect(site.asked).toEqual([]);
});

test('an invalid URL is a failure', async () => {
  const { failed, facts } = await fetchPage('kettles');
  expect([failed, facts.failure?.code]).toEqual([true, 'invalid-url']);
});
