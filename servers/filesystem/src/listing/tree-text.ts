import { counted } from '@rootbound/kit/budget';
import type { FoundName } from '../search/outcome.ts';

const marks: Readonly<Record<FoundName['type'], string>> = {
  file: '',
  directory: '/',
  symlink: ' [link]',
  other: ' [other]',
};

/** An entry of a tree, and how many it holds when they are not shown. */
interface TreeEntry extends Pick<FoundName, 'path' | 'type'> {
  entries?: number | undefined;
}

/** Entries in depth-first order as indented lines; a page that begins inside a directory says in which. */
export function treeLines(entries: readonly TreeEntry[]): string[] {
  const lines = entries.map(({ path, type, entries: held }) => {
    const depth = path.split('/').length - 1;
    const cut = held === undefined || held === 0 ? '' : ` [${counted(held, 'entry', 'entries')}]`;
    return `${'  '.repeat(depth)}${path.slice(path.lastIndexOf('/') + 1)}${marks[type]}${cut}`;
  });
  const first = entries[0]?.path ?? '';
  const parent = first.slice(0, first.lastIndexOf('/') + 1);
  return parent === '' ? lines : [`[inside ${parent}]`, ...lines];
}
