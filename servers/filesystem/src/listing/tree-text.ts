import type { FoundName } from '../search/outcome.ts';

const marks: Readonly<Record<FoundName['type'], string>> = {
  file: '',
  directory: '/',
  symlink: ' [link]',
  other: ' [other]',
};

/** Entries in depth-first order as indented lines; a page that begins inside a directory says in which. */
export function treeLines(entries: readonly FoundName[]): string[] {
  const lines = entries.map(({ path, type }) => {
    const depth = path.split('/').length - 1;
    return `${'  '.repeat(depth)}${path.slice(path.lastIndexOf('/') + 1)}${marks[type]}`;
  });
  const first = entries[0]?.path ?? '';
  const parent = first.slice(0, first.lastIndexOf('/') + 1);
  return parent === '' ? lines : [`[inside ${parent}]`, ...lines];
}
