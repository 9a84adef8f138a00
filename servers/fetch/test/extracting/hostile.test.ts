import { describe, expect, test } from 'vitest';
import { full, sampled } from '../../../../test/extent.ts';
import { readHtml } from '../../src/extracting/extract.ts';
import { pageUrl, prose } from './pages.ts';

const paragraph = `<p>${prose('foxes')}</p>`;
const repeat = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join('');

const pages: Record<string, string> = {
  'ten thousand nested boxes': `${'<div>'.repeat(10_000)}${paragraph}${'</div>'.repeat(10_000)}`,
  'twenty thousand open tags': `${'<b>'.repeat(20_000)}${paragraph}`,
  'three thousand nested lists': `${'<ul><li>'.repeat(3000)}${paragraph}${'</li></ul>'.repeat(3000)}`,
  'a table of five thousand rows': `<table>${repeat(5000, (at) => `<tr><td>${at}</td><td>${paragraph}</td></tr>`)}</table>`,
  'twenty thousand orphaned headings': `${repeat(20_000, (at) => `<h2>Read more ${at}</h2>`)}${paragraph}`,
  'a megabyte of white space': `<p>a${' \n'.repeat(500_000)}b</p>${paragraph}`,
  'a class of a megabyte': `<div class="${'abC-'.repeat(250_000)}">${paragraph}</div>`,
  'a title of separators': `<title>${' | '.repeat(100_000)}</title>${paragraph}`,
  'streamed parts without number': `${repeat(3000, (at) => `<template id="B:${at}"></template>`)}${repeat(3000, (at) => `<div hidden id="S:${at}">${at}</div>`)}<script>${repeat(3000, (at) => `$RC("B:${at}","S:${at}")`)}</script>${paragraph}`,
  'data that refers to itself': `${paragraph}<script>self.__next_f.push([1,"0:\\"$1\\"\\n1:[\\"$\\",\\"p\\",null,{\\"children\\":\\"$0\\"}]\\n"])</script>`,
};

describe('a hostile page is read to its end all the same', () => {
  test.each(sampled(Object.entries(pages), 2))('%s', (_, html) => {
    const { text } = readHtml(html, { url: pageUrl, want: 'article' });
    expect(text).toContain('Sentence 4 about foxes');
  });

  test('deeply nested data is skipped', () => {
    const data = `<script type="application/json">${'['.repeat(100_000)}${']'.repeat(100_000)}</script>`;
    expect(readHtml(`<p>Hello</p>${data}`, { url: pageUrl, want: 'article' }).text.trim()).toBe('Hello');
  });

  const many = full ? 50_000 : 10_000;
  test(`${many} links are limited to those of a result`, () => {
    const { links } = readHtml(
      repeat(many, (at) => `<a href="/p${at}">Link ${at}</a> `),
      { url: pageUrl, want: 'article' },
    );
    expect(links).toHaveLength(5000);
  });
});
