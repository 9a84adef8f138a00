import { describe, expect, test } from 'vitest';
import { readHtml } from '../../src/extracting/extract.ts';
import { page, pageUrl, prose, readArticle } from './pages.ts';

const shell = '<div id="root"></div>';

function scriptOf(data: unknown, attributes = 'type="application/json"'): string {
  return `<script ${attributes}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

function pushes(stream: string): string {
  const middle = stream.length >> 1;
  return [stream.slice(0, middle), stream.slice(middle)]
    .map((piece) => `<script>self.__next_f.push(${JSON.stringify([1, piece])})</script>`)
    .join('');
}

describe('a page that displays its content only by scripts', () => {
  test('is read from its noscript elements', () => {
    const { text, extraction } = readArticle(
      page(`${shell}<noscript><article><p>${prose('foxes')}</p></article></noscript>`),
    );
    expect(text).toContain('Sentence 4 about foxes');
    expect(extraction.method).toBe('noscript');
    expect(extraction.notes).toEqual([expect.stringContaining('noscript')]);
  });

  test('is read from a template in a script', () => {
    const { text, extraction } = readArticle(
      page(`${shell}<script type="text/template"><p>${prose('foxes')}</p></script>`),
    );
    expect(text).toContain('Sentence 4 about foxes');
    expect(extraction.method).toBe('script template');
  });

  test('is read from its article body in JSON-LD', () => {
    const data = {
      '@context': 'https://schema.org',
      '@graph': [{ '@type': 'NewsArticle', articleBody: prose('foxes', 8) }],
    };
    const { text, extraction } = readArticle(
      page(`<p>Foxes live near.</p>${scriptOf(data, 'type="application/ld+json"')}`),
    );
    expect(text).toContain('Sentence 8 about foxes');
    expect(extraction.method).toBe('structured data');
  });

  test('is read from data of its framework: headings, runs of text with links in them, HTML, and nothing else', () => {
    const article = {
      body: [
        { type: 'h2', children: [{ type: 'text', data: 'Dens' }] },
        {
          type: 'p',
          children: [
            { data: `${prose('dens', 2)} See ` },
            { type: 'a', children: [{ data: 'this' }] },
            { data: '.' },
          ],
        },
        { html: `<p>${prose('<em>cubs</em>', 3)}</p>` },
      ],
    };
    const noise = {
      url: 'https://example.org/fox',
      css: '.fox { color: red; display: block }',
      id: 'a8f5f167f44f4964e6c998dee827110c',
    };
    const { text, extraction } = readArticle(
      page(
        `${shell}${scriptOf({ props: { article, ...noise } }, 'id="__NEXT_DATA__" type="application/json"')}`,
      ),
    );
    expect(text).toContain('## Dens');
    expect(text).toContain('See this.');
    expect(text).toContain('Sentence 3 about');
    expect(text).not.toMatch(/color: red|a8f5f167/);
    expect(extraction.method).toBe('page data');
  });

  test('is read from data that a script assigns', () => {
    const data = JSON.stringify({ post: { text: prose('foxes') } });
    const { text } = readArticle(page(`${shell}<script>window.__STATE__ = ${data};</script>`));
    expect(text).toContain('Sentence 4 about foxes');
  });

  test('is read from the elements in streamed component data, in order, across references and text rows', () => {
    const row = `Ümläut ${prose('text rows', 2)}`;
    const stream = [
      '0:["$","main",null,{"children":[["$","h1",null,{"children":"Foxes"}],"$L1","$L2"]}]\n',
      `1:["$","p",null,{"className":"x","children":["${prose('elements', 2)} ",["$","a",null,{"href":"/study","children":"study"}]]}]\n`,
      '2:["$","$L9",null,{"children":["$","p",null,{"children":"$3"}]}]\n',
      `3:T${Buffer.byteLength(row).toString(16)},${row}`,
    ].join('');
    const { text, extraction } = readArticle(
      page(`${shell}<script>(self.__next_f=self.__next_f||[]).push([0])</script>${pushes(stream)}`),
    );
    expect(extraction.method).toBe('flight data');
    expect(text).toContain('# Foxes');
    expect(text).toContain('[study](https://example.org/study)');
    expect(text.indexOf('about elements')).toBeLessThan(text.indexOf('Ümläut Sentence 1 about text rows'));
  });

  test('says that scripts fill it where there is nothing to recover, also when all of it is asked for', () => {
    const html = `<html><body>${shell}<noscript>You need to enable JavaScript.</noscript><script src="/main.js"></script></body></html>`;
    for (const want of ['article', 'page'] as const) {
      const { extraction } = readHtml(html, { url: pageUrl, want });
      expect(extraction.notes).toEqual(['scripts fill this page: its HTML has hardly any text']);
    }
  });

  test('keeps its visible text if that is more than the data has', () => {
    const { text, extraction } = readArticle(
      page(`<article><p>${prose('foxes', 8)}</p></article>${scriptOf({ text: prose('badgers', 6) })}`),
    );
    expect(text).not.toContain('badgers');
    expect(extraction.method).toBe('main content');
  });

  test('ignores invalid data and scripts without data', () => {
    const scripts =
      '<script type="application/json">{"a":</script><script>window.x = {run() { return 1; }, text: [1,2,3].map(String)};</script>'.repeat(
        3,
      );
    const { text } = readArticle(
      page(`<p>A short page about foxes.</p>${scripts}<script type="application/ld+json">{]</script>`),
    );
    expect(text).toContain('A short page about foxes.');
  });
});

describe('content that a browser moves', () => {
  test('streamed parts are moved to their place', () => {
    const { text } = readArticle(
      page(`<main><h1>Foxes</h1><p>${prose('foxes')}</p><template id="B:0"></template><p>${prose('ends')}</p></main>
        <div hidden id="S:0"><p>${prose('streams')}</p></div><script>$RC("B:0","S:0")</script>`),
    );
    expect(text.indexOf('about foxes')).toBeLessThan(text.indexOf('about streams'));
    expect(text.indexOf('about streams')).toBeLessThan(text.indexOf('about ends'));
  });

  test('a declarative shadow tree is read as part of its element', () => {
    const { text } = readArticle(
      page(`<my-story><template shadowrootmode="open"><p>${prose('shadows')}</p></template></my-story>`),
    );
    expect(text).toContain('Sentence 4 about shadows');
  });

  test('a plain template is not', () => {
    const { text } = readArticle(
      page(`<p>${prose('foxes')}</p><template><p>${prose('templates')}</p></template>`),
    );
    expect(text).not.toContain('templates');
  });
});
