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

/** The cells of the tables under a heading of any level, without their heads, a row each. */
export function tableUnder({ text }: Pick<Document, 'text'>, heading: string): string[][] {
  const lines = sectionUnder(text, heading).split('\n');
  const isHead = (at: number): boolean => /^\|[-|]+$/.test(lines[at] ?? '');
  const rows = lines.filter((line, at) => line.startsWith('|') && !isHead(at) && !isHead(at + 1));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What is under a heading, up to the next one that is not below it. */
function sectionUnder(text: string, heading: string): string {
  const [, marks, section] = /^(#+) [^\n]*\n([\s\S]*)/.exec(fromHeading(text, heading)) ?? [];
  if (marks === undefined || section === undefined) return '';
  const end = section.search(new RegExp(`^#{1,${marks.length}} `, 'm'));
  return end === -1 ? section : section.slice(0, end);
}

function fromHeading(text: string, heading: string): string {
  const at = text.split('\n').findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  return at === -1 ? '' : text.split('\n').slice(at).join('\n');
}
