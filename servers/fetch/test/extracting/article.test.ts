import { describe, expect, test } from 'vitest';
import { footer, navigation, page, prose, readArticle } from './pages.ts';

const paragraphs = ['foxes', 'dens', 'cubs'].map((topic) => `<p>${prose(topic)}</p>`).join('');

/** Returns the text of an article page with some more content. */
function textWith(more: string): string {
  return readArticle(page(`<main><article><h1>Foxes</h1>${paragraphs}${more}</article></main>`)).text;
}

describe('an article', () => {
  test('is read without the navigation and footer around it', () => {
    const { text, extraction } = readArticle(page(`<div class="content">${paragraphs}</div>`));
    expect(text).toContain('Sentence 4 about cubs');
    expect(text).not.toContain('Section 3');
    expect(text).not.toContain('All rights reserved');
    expect(extraction.method).toBe('main content');
    expect(extraction.notes).toEqual([]);
    expect(extraction.coverage).toBeGreaterThan(0.8);
    expect(extraction.coverage).toBeLessThan(1);
  });

  test('is found without any names, by its prose alone', () => {
    const links = '<div><a href="/a">One thing</a> <a href="/b">Another thing</a></div>'.repeat(10);
    const { text } = readArticle(`<body>${links}<div><div>${paragraphs}</div></div>${links}</body>`);
    expect(text).toContain('Sentence 1 about foxes');
    expect(text).not.toContain('Another thing');
  });

  test.each([
    ['comments', `<div id="comments"><h2>3 replies</h2><p>${prose('nothing', 12)}</p></div>`, 'nothing'],
    ['a sidebar', `<div class="sidebar"><p>${prose('weather', 2)}</p></div>`, 'weather'],
    ['an aside', `<aside><p>${prose('weather', 2)}</p></aside>`, 'weather'],
    [
      'share buttons',
      '<ul class="social-share"><li>Tell your friends about it</li></ul>',
      'Tell your friends',
    ],
    ['names in camel case', '<div class="relatedStories"><p>Badgers at night</p></div>', 'Badgers'],
    [
      'captions',
      '<figure><img src="/fox.jpg" alt=""><figcaption>A fox, seen from afar</figcaption></figure>',
      'seen from afar',
    ],
    ['authors and dates', '<p class="byline">By Ann Other, yesterday at noon</p>', 'Ann Other'],
    [
      'forms',
      '<form action="/join"><p>Your address, please, and then press the button.</p></form>',
      'Your address',
    ],
    ['what is hidden', '<div hidden><p>Only machines read this sentence here.</p></div>', 'Only machines'],
    [
      'lists of links',
      '<ul><li><a href="/1">Badgers of the north</a></li><li><a href="/2">Owls of the south</a></li></ul>',
      'Badgers',
    ],
    ['lines that lead elsewhere', '<p>Read also: <a href="/badgers">badgers at night</a></p>', 'badgers'],
    ['the same in German', '<p>Lesen Sie auch: <a href="/badgers">Dachse bei Nacht</a></p>', 'Dachse'],
    ['the same in French', '<p>À lire aussi : <a href="/badgers">les blaireaux</a></p>', 'blaireaux'],
    [
      'sections under such a heading',
      '<section><h2>Related articles</h2><p>Badgers at night and by day</p></section>',
      'Badgers',
    ],
    [
      'cards of other pages',
      `<div>${['Badgers', 'Owls', 'Hares'].map((name) => `<h3><a href="/${name}">${name} at night</a></h3><p>In short.</p>`).join('')}</div>`,
      'Owls',
    ],
  ])('is read without %s in it', (_, more, gone) => {
    const text = textWith(more);
    expect(text).not.toContain(gone);
    expect(text).toContain('Sentence 4 about cubs');
  });

  test.each([
    ['lists of facts', '<ul><li>They are red</li><li>They are clever</li></ul>', 'They are clever'],
    ['tables', '<table><tr><th>Weight</th></tr><tr><td>6 kg</td></tr></table>', '6 kg'],
    ['code', '<pre><code class="language-js">fox.run();</code></pre>', 'fox.run();'],
    ['quotations', '<blockquote><p>I saw it.</p></blockquote>', 'I saw it.'],
    [
      'links within sentences',
      `<p>${prose('links', 1)} More in <a href="/study">the study</a>.</p>`,
      'the study',
    ],
    [
      'widgets of page builders',
      `<div class="elementor-widget"><p>${prose('towns', 2)}</p></div>`,
      'about towns',
    ],
  ])('keeps %s', (_, more, kept) => {
    expect(textWith(more)).toContain(kept);
  });

  test('loses headings of removed sections, and keeps the others', () => {
    const text = textWith(
      `<h2>Dens</h2><p>${prose('burrows', 1)}</p><h2>Elsewhere on this site</h2><ul><li><a href="/1">Badgers of the north</a></li></ul>`,
    );
    expect(text).toContain('## Dens');
    expect(text).not.toContain('Elsewhere on this site');
  });

  test('is not removed as comments on a page whose class names are those of comments', () => {
    const { text } = readArticle(page(`<div class="comments">${paragraphs}</div>`));
    expect(text).toContain('Sentence 4 about cubs');
  });
});

describe('content outside the root', () => {
  test('a lead between the title and the content is kept, and the byline beside it is not', () => {
    const { text } = readArticle(
      page(`<main><header><h1>Foxes</h1><p class="byline">By Ann Other of this paper</p>
        <p class="lead">Foxes live nearer than we think, a new study says.</p></header><div class="body">${paragraphs}</div></main>`),
    );
    expect(text).toContain('Foxes live nearer than we think');
    expect(text).not.toContain('Ann Other');
    expect(text.indexOf('nearer than we think')).toBeLessThan(text.indexOf('about foxes'));
  });

  test('a box that continues the content is kept', () => {
    const { text } = readArticle(
      page(
        `<div><div class="part">${paragraphs}</div><div class="part"><p>${prose('winters', 3)}</p></div></div>`,
      ),
    );
    expect(text).toContain('about winters');
  });

  test('another article after the content is not', () => {
    const next = `<article><h1>Badgers</h1><p>${prose('badgers', 3)}</p></article>`;
    const { text } = readArticle(
      page(`<div><article><h1>Foxes</h1>${paragraphs}${paragraphs}</article>${next}</div>`),
    );
    expect(text).not.toContain('about badgers');
  });
});

describe('other kinds of pages', () => {
  test('a thread keeps every answer, without names and dates', () => {
    const posts = Array.from(
      { length: 5 },
      (_, at) =>
        `<div class="post"><div class="author">user${at}</div><div class="postbody"><p>${prose(`answer ${at}`, 3)}</p></div></div>`,
    );
    const { text } = readArticle(page(`<h1>How do foxes hunt?</h1>${posts.join('')}`));
    for (let at = 0; at < 5; at++) expect(text).toContain(`about answer ${at}`);
    expect(text).not.toContain('user3');
  });

  test('a reference page keeps its code, tables and lists, without the table of contents', () => {
    const chapters = Array.from(
      { length: 40 },
      (_, at) => `<li><a href="/c${at}">Chapter ${at}</a></li>`,
    ).join('');
    const { text, headings } = readArticle(
      page(`<div class="toc-sidebar"><ul>${chapters}</ul></div><main><h1>readFile</h1><p>Reads a file as a whole.</p>
        <pre><code>await readFile("a")</code></pre><h2>Parameters</h2><table><tr><th>Name</th><th>Type</th></tr>
        <tr><td>path</td><td>string</td></tr></table><h2>Errors</h2><ul><li>ENOENT</li><li>EACCES</li></ul></main>`),
    );
    expect(text).toContain('await readFile("a")');
    expect(text).toMatch(/\|\s*path\s*\|\s*string\s*\|/);
    expect(text).toContain('EACCES');
    expect(text).not.toContain('Chapter 7');
    expect(headings.map((heading) => heading.text)).toEqual(['readFile', 'Parameters', 'Errors']);
  });

  test('a product page keeps the price and the measures', () => {
    const { text } = readArticle(
      page(`<div class="product"><h1>Steel kettle</h1><p class="price">49.90 EUR</p>
        <p>A kettle of steel that holds one and a half litres and whistles when the water boils.</p>
        <table><tr><th>Volume</th><td>1.5 l</td></tr></table></div>`),
    );
    expect(text).toContain('49.90 EUR');
    expect(text).toContain('1.5 l');
  });

  test('a page of links is read as the list that it is', () => {
    const news = Array.from(
      { length: 30 },
      (_, at) => `<li><a href="/n${at}">Headline ${at}: something happened</a></li>`,
    ).join('');
    const { text, extraction } = readArticle(page(`<main><h1>News</h1><ul>${news}</ul></main>`));
    expect(extraction).toMatchObject({
      method: 'list of links',
      notes: ['the page is a list of links rather than a text'],
    });
    expect(text).toContain('Headline 29');
    expect(text).not.toContain('Section 3');
  });

  test('a front page keeps its teasers', () => {
    const teasers = Array.from(
      { length: 12 },
      (_, at) =>
        `<div class="item"><h2><a href="/p${at}">Story ${at} of the day</a></h2><p>What story ${at} tells in a few words here.</p></div>`,
    );
    const { text } = readArticle(page(`<div class="main">${teasers.join('')}</div>`));
    expect(text).toContain('Story 0 of the day');
    expect(text).toContain('What story 11 tells');
  });

  test('a page with one sentence is that sentence', () => {
    expect(readArticle('<p>Hello world').text.trim()).toBe('Hello world');
  });

  test('a page of navigation alone is shown whole, and says so', () => {
    const { text, extraction } = readArticle(`<html><body>${navigation}${footer}</body></html>`);
    expect(text).toContain('Section 3');
    expect(extraction.method).toBe('whole page');
  });

  test('an empty page is empty', () => {
    const { text, headings, links, extraction } = readArticle('');
    expect([text.trim(), headings, links]).toEqual(['', [], []]);
    expect(extraction.coverage).toBe(1);
  });

  test('content that is hidden until scripts run is read if there is no other, with a note', () => {
    const { text, extraction } = readArticle(
      `<body><div style="display: none"><h1>Foxes</h1>${paragraphs}</div></body>`,
    );
    expect(text).toContain('Sentence 4 about cubs');
    expect(extraction.notes).toContain('the page hides this text until its scripts show it');
  });
});
