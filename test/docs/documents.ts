import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** A Markdown file. */
export interface Document {
  /** from the top of the repository, with slashes */
  name: string;
  path: string;
  text: string;
}

/** A fenced block: its language, the rest of its info string, and its text. */
export interface Block {
  language: string;
  info: string;
  text: string;
}

const parents = ['packages', 'servers'];

/** Returns every Markdown document of the repository that people read. */
export function documents(): Document[] {
  const below = parents.flatMap((parent) =>
    readdirSync(join(root, parent)).map((child) => join(parent, child)),
  );
  const folders = ['.', '.changeset', ...below, 'docs', ...pageFolders()];
  return folders.flatMap((folder) => markdownIn(join(root, folder)));
}

/** Returns the folders of pages in `docs`; `docs/api` is generated. */
function pageFolders(): string[] {
  return readdirSync(join(root, 'docs'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[a-z]+$/.test(entry.name) && entry.name !== 'api')
    .map(({ name }) => join('docs', name));
}

/** Reads the document of that name. */
export function document(name: string): Document {
  const path = join(root, name);
  return { name, path, text: readFileSync(path, 'utf8') };
}

function markdownIn(folder: string): Document[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => document(relative(root, join(folder, file)).split(sep).join('/')));
}

/** Returns the fenced blocks of a document, in order. */
export function blocksOf({ text }: Pick<Document, 'text'>): Block[] {
  return [...text.matchAll(/^```(\w+)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language, info, body]): Block => ({ language: language!, info: info!, text: body! }),
  );
}

/** Returns the targets of links to files, as absolute paths, without anchors. */
export function linkedFiles({ path, text }: Document): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/i.test(target) && !target.startsWith('#'))
    .map((target) => join(dirname(path), target.replace(/#.*$/, '')));
}

/** Returns the rows of the tables under a heading of any level, as cells, without the heads. */
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

/** Returns the text under a heading, up to the next heading of the same or a higher level. */
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
