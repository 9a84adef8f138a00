import { describe, expect, test } from 'vitest';
import { readHtml } from '../../src/extracting/extract.ts';
import { WebError } from '../../src/failure.ts';
import { page, pageUrl, prose } from './pages.ts';

const html = page(
  `<main><p class="lead">First.</p><div><p>Second.</p><p class="lead">Third.</p></div></main><p>${prose('others')}</p>`,
);

function select(selector: string) {
  return readHtml(html, { url: pageUrl, want: 'article', selector });
}

function failureOf(selector: string): WebError {
  try {
    select(selector);
  } catch (error) {
    if (error instanceof WebError) return error;
    throw error;
  }
  throw new Error(`${selector} was accepted`);
}

describe('with a selector', () => {
  test('only matching elements are read, in document order', () => {
    const { text, extraction } = select('p.lead');
    expect(text.trim().split(/\n+/)).toEqual(['First.', 'Third.']);
    expect(extraction).toMatchObject({ method: 'selector', notes: [] });
    expect(extraction.coverage).toBeLessThan(0.2);
  });

  test('an element that matches within a match is read once', () => {
    expect(select('div, div p').text.match(/Second/g)).toHaveLength(1);
  });

  test('elements outside the article can be selected', () => {
    expect(select('nav li:first-child').text).toContain('Section 0');
  });

  test('without matches the call fails', () => {
    expect(failureOf('table.prices')).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('table.prices'),
    });
  });

  test.each([
    ['p >> a', 'successive traversals'],
    ['p, #', 'unexpected text at character 4: #'],
    ['p[', 'it is incomplete'],
    ['p:unheard-of', 'unheard-of'],
    [`p${' p'.repeat(600)}`, 'more than 1000 characters'],
  ])('that is invalid, %s, the failure names the error', (selector, reason) => {
    expect(failureOf(selector)).toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining(reason),
    });
  });
});
