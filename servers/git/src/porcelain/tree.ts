import { type Command, command, type PathArgument } from '../run/command.ts';
import { type Oid, toOid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { recordsOf, unexpected } from './records.ts';

export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly kind: 'file' | 'executable' | 'link' | 'folder' | 'submodule';
  readonly oid: Oid;
  /** in bytes, of a file or link whose object is here, when asked for */
  readonly size: number | undefined;
}

export interface TreeOptions {
  /** the entries of all folders below, without the folders themselves */
  readonly recursive?: boolean;
  /** with `recursive`: also the folders */
  readonly folders?: boolean;
  readonly sizes?: boolean;
  /** from the top; of a folder, what is in it where the path ends in a slash */
  readonly paths?: readonly PathArgument[];
}

export function treeCommand(tree: Oid, options: TreeOptions = {}): Command {
  const { recursive, folders, sizes, paths } = options;
  return command('ls-tree', {
    flags: [
      '-z',
      ...(recursive ? (['-r'] as const) : []),
      ...(folders ? (['-t'] as const) : []),
      ...(sizes ? (['--long'] as const) : []),
    ],
    revisions: [tree],
    ...(paths === undefined ? {} : { paths }),
  });
}

/** Reads `treeCommand`. */
export function parseTree(bytes: Buffer): TreeEntry[] {
  return recordsOf(bytes).map((record) => {
    const [, mode, type, oid, size, path] =
      /^(\d{6}) (commit|tree|blob) ([0-9a-f]+)(?: +(\d+|-|BAD))?\t(.*)$/s.exec(record) ?? [];
    if (path === undefined) throw unexpected('tree entry');
    return {
      path: nameOfByteString(path),
      mode: mode!,
      kind: kindOf(mode!, type!),
      oid: toOid(oid!),
      size: size === undefined || size === '-' || size === 'BAD' ? undefined : Number(size),
    };
  });
}

function kindOf(mode: string, type: string): TreeEntry['kind'] {
  if (type === 'tree') return 'folder';
  if (type === 'commit') return 'submodule';
  if (mode === '120000') return 'link';
  return mode === '100755' ? 'executable' : 'file';
}
