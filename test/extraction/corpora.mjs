import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * A page of a corpus and what is expected of its text.
 * @typedef {object} Page
 * @property {string} id
 * @property {string} url
 * @property {string} path of its gzipped bytes
 * @property {'tuning' | 'unseen'} half
 * @property {string} [article] the whole text
 * @property {string[]} [with] snippets that must be in it
 * @property {string[]} [without] snippets that must not
 */

/**
 * Returns the half of a page: rules may be tuned only on tuning pages. It is the parity of the first byte of the
 * SHA-256 of the page's id, so a page never changes its half.
 * @param {string} id
 * @returns {'tuning' | 'unseen'}
 */
function halfOf(id) {
  return createHash('sha256').update(id).digest()[0] % 2 === 0 ? 'tuning' : 'unseen';
}

/**
 * Returns the pages of a folder with `ground-truth.json` (whole articles) or `expected.json` (snippets), by id.
 * @param {string} folder
 * @returns {Page[]}
 */
export function readCorpus(folder) {
  const articles = join(folder, 'ground-truth.json');
  const pages = existsSync(articles) ? readArticles(articles) : readSnippets(join(folder, 'expected.json'));
  return pages
    .map((page) => ({ ...page, path: join(folder, 'html', page.path), half: halfOf(page.id) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** @param {string} file */
function readArticles(file) {
  const truth = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(truth).map(([id, { articleBody, url }]) => ({
    id,
    url,
    path: `${id}.html.gz`,
    article: articleBody,
  }));
}

/** @param {string} file */
function readSnippets(file) {
  const expected = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(expected).map(([url, entry]) => ({
    id: url,
    url,
    path: entry.file,
    with: entry.with,
    without: entry.without,
  }));
}

/**
 * Reads the bytes of a page.
 * @param {Page} page
 */
export function readPage(page) {
  return gunzipSync(readFileSync(page.path));
}
