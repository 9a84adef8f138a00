import { expect, test } from 'vitest';
import { Ground, type PageFacts } from '../ground.ts';
import { article } from '../site.ts';

interface Described extends PageFacts {
  metadata: Record<string, unknown>;
  headers: Record<string, string>;
  length: number;
  words: number;
  headings: number;
  links: Record<string, number>;
  left_out?: string[];
}

const ground = new Ground();
const { site } = ground;
const head = `<html lang="de"><head><title>Kettles</title>
  <meta name="author" content="Ann Author"><meta name="description" content="On kettles">
  <meta property="og:site_name" content="The Kitchen"><meta property="article:published_time" content="2026-05-04T10:00:00Z">
  <link rel="canonical" href="/kettles-for-all"><link rel="alternate" type="application/rss+xml" title="News" href="/feed">
  <script type="application/ld+json">{"@type":"Article","headline":"Kettles"}</script></head>`;

test('the result has the metadata, the headers and the sizes of a page', async () => {
  const url = site.page(
    '/kettles',
    article(2).replace(/<html lang="en">[\s\S]*?<\/head>/, head),
    'text/html',
    {
      etag: '"v1"',
      'cache-control': 'max-age=5',
    },
  );
  const { facts, text } = await ground.use<Described>('get_metadata', { url });
  expect(facts.metadata).toMatchObject({
    title: 'Kettles',
    author: 'Ann Author',
    site: 'The Kitchen',
    description: 'On kettles',
    language: 'de',
    canonical: site.url('/kettles-for-all'),
    feeds: [{ url: site.url('/feed'), title: 'News' }],
    structured: [{ '@type': 'Article', headline: 'Kettles' }],
  });
  expect(String(facts.metadata.published)).toContain('2026-05-04');
  expect(facts.headers).toEqual({ etag: '"v1"', 'content-type': 'text/html', 'cache-control': 'max-age=5' });
  expect([facts.headings, facts.links.all]).toEqual([3, expect.any(Number)]);
  expect(facts.words).toBeGreaterThan(100);
  expect(facts.content).toBeUndefined();
  expect(text).toContain('author: Ann Author');
});

test('metadata without room in a result is named, and the rest is returned', async () => {
  const data = JSON.stringify(
    Array.from({ length: 40 }, (_, index) => ({ '@type': 'Thing', name: `${index}`.repeat(20) })),
  );
  const page = article(1).replace('</head>', `<script type="application/ld+json">${data}</script></head>`);
  const url = site.page('/things', page);
  const narrow = await ground.client({ maxOutput: 2048 });
  const { structuredContent } = await narrow.callTool('get_metadata', { url });
  const { metadata, left_out } = structuredContent as unknown as Described; // the members of its schema
  expect(left_out).toEqual(['structured']);
  expect(metadata.title).toBe('Kettles');
});
