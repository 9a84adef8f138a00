// finds every regular expression of the sources, by a parser of JavaScript
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** Folders whose expressions match text from outside. */
const FOLDERS = ['packages', 'servers'];
const LEFT_OUT = new Set(['node_modules', 'dist', 'test', 'coverage']);

/**
 * A literal expression, or the text of a call of `RegExp` that builds one at run time.
 * @typedef {{ file: string, line: number, source: string, flags: string }} Written
 * @typedef {{ file: string, line: number, call: string }} Made
 */

/**
 * Returns the expressions of a checkout.
 * @param {string} root
 * @returns {(Written | Made)[]}
 */
export function expressionsBelow(root) {
  return FOLDERS.flatMap((folder) => sourcesBelow(root, folder)).flatMap((file) =>
    expressionsIn(readFileSync(join(root, file), 'utf8'), file),
  );
}

/**
 * Returns the expressions of one file.
 * @param {string} text
 * @param {string} file
 * @returns {(Written | Made)[]}
 */
export function expressionsIn(text, file) {
  /** @type {(Written | Made)[]} */
  const found = [];
  const visit = (/** @type {unknown} */ node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    // each object of the tree is a node, or a part of one with the same members
    const { type, regex, callee, start, end } = /** @type {Record<string, any>} */ (node);
    const line = () => text.slice(0, start).split('\n').length;
    if (type === 'Literal' && regex)
      found.push({ file, line: line(), source: regex.pattern, flags: regex.flags });
    if (/^(?:New|Call)Expression$/.test(type) && callee.name === 'RegExp')
      found.push({ file, line: line(), call: text.slice(start, end).replace(/(?<!\s)\s*\n\s*/g, ' ') });
    for (const [key, value] of Object.entries(node)) if (key !== 'regex') visit(value);
  };
  visit(parseAst(text, { lang: file.endsWith('ts') ? 'ts' : 'js' }, file));
  return found;
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : sourcesBelow(root, path);
      return /(?<!\.d)\.[cm]?[jt]s$/.test(entry.name) ? [path] : [];
    });
}
