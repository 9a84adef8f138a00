import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Files by their path from the top of a project, with slashes. */
export type Files = ReadonlyMap<string, string | Uint8Array>;

/** Files that a workspace generates, and a copy does not have. */
const MADE = /^(?:node_modules|dist|coverage|\.turbo|\.catalog-.*|.*\.tsbuildinfo)$/;
const TEXT = /\.(?:ts|mjs|js|json|md|yml)$|(?:^|\/)(?:\.?gitignore|LICENSE)$/;

/** Returns the files below a folder, without generated ones. */
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

/** Writes files below a folder, which is created for them. */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { flag: 'wx' });
  }
}

/** Returns the text of a file that must exist. */
export function textOf(files: Files, name: string): string {
  const content = files.get(name);
  if (typeof content !== 'string') throw new TypeError(`the text file ${name} is missing`);
  return content;
}

/** Returns JSON in the format of this repository: two spaces, a line end. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Returns a text with a part of it replaced; throws when that is missing. */
export function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new TypeError(`the text has no ${JSON.stringify(what)}`);
  return text.replaceAll(what, () => by);
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
