// npm run texts -- git: prints every text of a server that a user or a model reads, with those of the kit; also of a
// package, as in -- protocol
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { visible } from './visible.mjs';

/** @typedef {'tool' | 'argument' | 'resource' | 'prompt' | 'instructions' | 'flag' | 'failure' | 'text'} Kind */
/** @typedef {{ kind: Kind, label: string, text: string, line: number }} Text label: the tool or argument it is about */
/** @typedef {Record<string, any>} Node of the syntax tree */

/** The kinds, in the order in which they are printed; `text` is any other, such as a line of a result. */
const KINDS = /** @type {const} */ ([
  'instructions',
  ...['tool', 'argument', 'resource', 'prompt', 'flag', 'failure', 'text'],
]);
/** Functions that define something with a description, and its kind. */
const DEFINING = new Map([
  ['tool', 'tool'],
  ['resource', 'resource'],
  ['template', 'resource'],
  ['prompt', 'prompt'],
]);
/** Stands for a part that is computed. */
const COMPUTED = '\u2026';
/** Errors of a programmer, which no client sees. */
const BUGS = ['TypeError', 'RangeError', 'SyntaxError'];
const root = join(import.meta.dirname, '..');

if (process.argv[1] === import.meta.filename) {
  const [name = ''] = process.argv.slice(2);
  const own = ['servers', 'packages'].map((parent) => `${parent}/${name}/src`);
  const folder = own.find((path) => existsSync(join(root, path)));
  if (name === '' || folder === undefined) {
    process.stderr.write('rootbound: name a server or package, as in npm run texts -- git\n');
    process.exitCode = 2;
  } else {
    const shared = folder.startsWith('servers/') ? ['packages/kit/src'] : [];
    process.stdout.write(listTexts([folder, ...shared]));
  }
}

/**
 * Returns the list of all texts below folders, by kind.
 * @param {string[]} folders from the top of the checkout
 */
function listTexts(folders) {
  const texts = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.d)\.ts$/.test(file))
      .sort()
      .flatMap((file) => {
        const path = file.split(sep).join('/');
        const own = textsIn(path, readFileSync(join(root, folder, file), 'utf8'));
        return own.map((text) => ({ path: `${folder}/${path}`, ...text }));
      }),
  );
  return KINDS.map((kind) => {
    const own = texts.filter((text) => text.kind === kind);
    const lines = own.map(
      ({ path, line, label, text }) =>
        `  ${label === '' ? '' : `${label}: `}${visible(text)}  (${path}:${line})\n`,
    );
    return `${kind} (${own.length})\n${lines.join('')}\n`;
  }).join('');
}

/**
 * Returns the texts in a module.
 * @param {string} file its path below the sources
 * @param {string} code
 * @returns {Text[]}
 */
export function textsIn(file, code) {
  /** @type {Text[]} */
  const texts = [];
  /** @type {(node: Node | Node[] | null | undefined, above: Node[]) => void} */
  const visit = (node, above) => {
    if (Array.isArray(node)) for (const one of node) visit(one, above);
    else if (typeof node?.type === 'string') {
      const text = textOf(node);
      const isConcatenated = textOf(above.at(-1) ?? {}) !== undefined;
      if (text !== undefined && !isConcatenated && !/^(?:Import|Export)/.test(above.at(-1)?.type ?? '')) {
        const { kind, label } = contextOf(file, above);
        const isWords = /[A-Za-z]{2,} [a-z]/.test(text);
        if (isWords || ['tool', 'argument', 'resource', 'flag', 'failure'].includes(kind))
          texts.push({ kind, label, text, line: code.slice(0, node.start).split('\n').length });
      }
      for (const value of Object.values(node)) visit(value, [...above, node]);
    }
  };
  visit(parseSync(file, code).program, []);
  return texts;
}

/**
 * Returns the text of a literal, a template or a sum of such; parts that are computed become `…`.
 * @param {Node} node
 * @returns {string | undefined}
 */
function textOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral')
    return node.quasis.map((/** @type {Node} */ { value }) => value.cooked).join(COMPUTED);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const parts = [textOf(node.left), textOf(node.right)];
  return parts.every((part) => part === undefined)
    ? undefined
    : parts.map((part) => part ?? COMPUTED).join('');
}

/**
 * Returns what a text is, by the nodes above it.
 * @param {string} file
 * @param {Node[]} above
 * @returns {{ kind: Kind, label: string }}
 */
function contextOf(file, above) {
  const calls = above.filter(({ type }) => type === 'CallExpression' || type === 'NewExpression');
  const callee = (/** @type {Node | undefined} */ call) => call?.callee.name ?? call?.callee.property?.name;
  const isResource = /(?:^|\/)resources\b/.test(file) ? 'resource' : undefined;
  const defined = calls.map((call) => DEFINING.get(callee(call))).findLast((kind) => kind !== undefined);
  const defining = isResource ?? defined;
  const names = above.flatMap((node) => (node.type === 'ObjectExpression' ? nameIn(node) : []));
  const key = above.findLast(({ type }) => type === 'Property')?.key.name ?? '';
  if (callee(calls.at(-1)) === 'describe')
    return { kind: 'argument', label: [...names, labelOf(above)].join(' ') };
  const direct = above.at(-1)?.type === 'Property';
  if (direct && ['description', 'title'].includes(key)) {
    const isNested = names.length > 1 || defining === undefined;
    return { kind: isNested ? 'argument' : /** @type {Kind} */ (defining), label: names.join(' ') };
  }
  if (key === 'help') return { kind: 'flag', label: names.join(' ') };
  if (file === 'instructions.ts') return { kind: 'instructions', label: '' };
  const thrown = calls.findLast(({ type }) => type === 'NewExpression')?.callee.name ?? '';
  const isFailure = /(?:Error|Problem)$/.test(thrown) && !BUGS.includes(thrown);
  const isRefused = /^(?:refus|invalid|unknown|stale)/.test(callee(calls.at(-1)) ?? '');
  if ((isFailure && key !== 'code') || isRefused || key === 'hint') return { kind: 'failure', label: '' };
  return { kind: /(?:^|\/)prompts\//.test(file) ? 'prompt' : 'text', label: '' };
}

/** @param {Node} object @returns {string[]} its member `name`, if that is a text */
function nameIn({ properties }) {
  const own = properties.find((/** @type {Node} */ { key }) => key?.name === 'name')?.value;
  return typeof own?.value === 'string' ? [own.value] : [];
}

/** @param {Node[]} above @returns {string} the member or variable that a text describes */
function labelOf(above) {
  const holder = above.findLast(({ type }) => type === 'Property' || type === 'VariableDeclarator');
  return holder?.key?.name ?? holder?.id?.name ?? '';
}
