import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** A text that people read. */
export interface Document {
  /** from the top of the repository, with slashes */
  name: string;
  path: string;
  text: string;
}

/** A fenced block: its info string after the language, and what is in it. */
export interface Block {
  language: string;
  info: string;
  text: string;
}

const folders = ['.', 'docs', '.changeset'];
const parents = ['packages', 'servers'];

/** Every Markdown document that is the project's own. */
export function documents(): Document[] {
  const below = parents.flatMap((parent) =>
    readdirSync(join(root, parent)).map((child) => join(parent, child)),
  );
  return [...folders, ...below].flatMap((folder) => markdownIn(join(root, folder)));
}

/** The document of that name. */
export function document(name: string): Document {
  const path = join(root, name);
  return { name, path, text: readFileSync(path, 'utf8') };
}

function markdownIn(folder: string): Document[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => document(relative(root, join(folder, file)).split(sep).join('/')));
}

/** The fenced blocks of a document, in order. */
export function blocksOf({ text }: Pick<Document, 'text'>): Block[] {
  return [...text.matchAll(/^```(\w+)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language, info, body]): Block => ({ language: language!, info: info!, text: body! }),
  );
}

/** The targets of links to files, as absolute paths, without anchors. */
export function linkedFiles({ path, text }: Document): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/i.test(target) && !target.startsWith('#'))
    .map((target) => join(dirname(path), target.replace(/#.*$/, '')));
}

/** The cells of the table under a heading, without its head, a row each. */
export function tableUnder({ text }: Document, heading: string): string[][] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
