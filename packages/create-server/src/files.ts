import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Files by their path from the top of a project, with slashes. */
export type Files = ReadonlyMap<string, string | Uint8Array>;

/** What a workspace makes anew, and so no copy has. */
const MADE = /^(?:node_modules|dist|coverage|\.turbo|\.catalog-.*|.*\.tsbuildinfo)$/;
const TEXT = /\.(?:ts|mjs|js|json|md|yml)$|(?:^|\/)(?:\.?gitignore|LICENSE)$/;

/** The files below a folder, without what is made from them. */
export function readFiles(folder: string): Map<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>();
  const visit = (below: string): void => {
    for (const entry of readdirSync(below, { withFileTypes: true }).sort(byName)) {
      const path = join(below, entry.name);
      if (MADE.test(entry.name)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) {
        const name = relative(folder, path).split(sep).join('/');
        files.set(name, TEXT.test(name) ? readFileSync(path, 'utf8') : readFileSync(path));
      }
    }
  };
  visit(folder);
  return files;
}

/** Writes files below a folder, which is made for them. */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { flag: 'wx' });
  }
}

/** The text of a file that must be there. */
export function textOf(files: Files, name: string): string {
  const content = files.get(name);
  if (typeof content !== 'string') throw new TypeError(`the text file ${name} is missing`);
  return content;
}

/** A JSON file as it is kept here: two spaces, a line end. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** A text with something in it replaced, which must be in it. */
export function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new TypeError(`the text has no ${JSON.stringify(what)}`);
  return text.replaceAll(what, () => by);
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
