// links of the documents are relative paths of files, as on GitHub; the site resolves them
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { addressOf, REPOSITORY } from './pages.mjs';

const root = join(import.meta.dirname, '..', '..');

/**
 * Resolves a link of a document for the site: to a page, to a file in the repository, or unchanged if neither exists.
 * @param {string} href
 * @param {string} document the absolute path of the document
 * @returns {string}
 */
export function resolveLink(href, document) {
  const [, target = '', hash = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  if (target === '' || target.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(target)) return href;
  const file = join(dirname(document), decodeURI(target));
  const path = relative(root, file).split(sep).join('/');
  const address = addressOf(path);
  if (!existsSync(file)) return href;
  return address === undefined ? `${REPOSITORY}/blob/main/${path}${hash}` : `/${address}${hash}`;
}

/**
 * Returns the fragment of a heading, as on GitHub.
 * @param {string} text
 * @returns {string}
 */
export function fragmentOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * Resolves the links of every document before the site renders them.
 * @param {import('vitepress').MarkdownRenderer} markdown
 */
export function resolveLinks(markdown) {
  markdown.core.ruler.push('documents', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'link_open') continue;
      token.attrSet('href', resolveLink(token.attrGet('href') ?? '', env.realPath ?? env.path));
    }
  });
}
