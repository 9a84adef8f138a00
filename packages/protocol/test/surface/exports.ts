import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const source = join(import.meta.dirname, '..', '..', 'src');

export const entries = [
  'index',
  'client',
  'stdio',
  'http',
  'sse',
  'ws',
  'socket',
  'auth',
  'testing',
  'build',
] as const;
export type Entry = (typeof entries)[number];

/** An export of an entry. */
export interface Export {
  entry: Entry;
  name: string;
  /** true for a type, which does not exist at run time */
  isType: boolean;
  /** the file of its declaration, from `src` */
  file: string;
  /** its doc comment without the stars; empty if there is none */
  doc: string;
}

/** Returns the specifier of an entry. */
export function specifierOf(entry: Entry): string {
  return entry === 'index' ? '@rootbound/protocol' : `@rootbound/protocol/${entry}`;
}

/** Returns all exports of an entry, in the order of its file. */
export function exportsOf(entry: Entry): Export[] {
  const path = join(source, `${entry}.ts`);
  const text = readFileSync(path, 'utf8');
  const statements = text.matchAll(/^export (type )?(?:\{([^}]*)\}|(\*)) from '([^']+)';$/gm);
  return [...statements].flatMap(([, typed, names, star, from]) => {
    const target = join(dirname(path), from!);
    const declared = declarationsOf(target);
    const wanted =
      star === undefined
        ? namesIn(names!)
        : [...declared.keys()].map((name) => ({ name, original: name, isType: true }));
    return wanted.map(({ name, original, isType }): Export => {
      const doc = declared.get(original);
      if (doc === undefined) throw new Error(`${relative(source, target)} declares no ${original}`);
      return { entry, name, isType: isType || typed !== undefined, file: relative(source, target), doc };
    });
  });
}

/** Returns the examples in the doc comment of an export. */
export function examplesIn({ doc }: Pick<Export, 'doc'>): string[] {
  return doc
    .split(/^@example\b/m)
    .slice(1)
    .map((part) =>
      part
        .split(/^@\w/m)[0]!
        .replace(/\s+$/, '')
        .replace(/^[ \t]*\n?/, ''),
    );
}

function namesIn(list: string): { name: string; original: string; isType: boolean }[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const [, typed, original, renamed] = /^(type )?(\w+)(?: as (\w+))?$/.exec(item)!;
      return { name: renamed ?? original!, original: original!, isType: typed !== undefined };
    });
}

const known = new Map<string, Map<string, string>>();

/** Returns the exported declarations of a module with their doc comments. */
function declarationsOf(path: string): Map<string, string> {
  let found = known.get(path);
  if (found === undefined) {
    const text = readFileSync(path, 'utf8');
    const form =
      /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^export (?:abstract )?(?:async )?(?:class|const|function|interface|type) (\w+)/gm;
    found = new Map();
    for (const [, comment = '', name] of text.matchAll(form))
      if (!found.has(name!)) found.set(name!, docOf(comment));
    known.set(path, found);
  }
  return found;
}

function docOf(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').replace(/\s+$/, ''))
    .join('\n')
    .trim();
}
