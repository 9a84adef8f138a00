import { nameOfByteString } from '../porcelain/names.ts';
import { type Oid, toOid } from '../run/oid.ts';
import { corrupt } from './headers.ts';

/** An entry of a tree. */
export interface TreeEntry {
  /** as git prints it: `100644` and `100755` files, `120000` a link, `040000` a folder, `160000` a submodule */
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly name: string;
  readonly oid: Oid;
}

/** Parses a tree object; `tree` is its own id, whose length is that of the ids in it. */
export function parseTree(bytes: Buffer, tree: Oid): TreeEntry[] {
  const width = tree.length / 2;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space === -1 || end === -1 || end + width >= bytes.length) throw corrupt('tree');
    const kind = kindOf(Number.parseInt(bytes.toString('latin1', at, space), 8));
    const name = nameOfByteString(bytes.toString('latin1', space + 1, end));
    at = end + 1 + width;
    entries.push({ ...kind, name, oid: toOid(bytes.toString('hex', end + 1, at)) });
  }
  return entries;
}

// modes of early gits, such as 100664, are read as git reads them
function kindOf(mode: number): Pick<TreeEntry, 'mode' | 'type'> {
  switch (mode & 0o170000) {
    case 0o100000:
      return { mode: (mode & 0o100) === 0 ? '100644' : '100755', type: 'blob' };
    case 0o120000:
      return { mode: '120000', type: 'blob' };
    case 0o040000:
      return { mode: '040000', type: 'tree' };
    default:
      return { mode: '160000', type: 'commit' };
  }
}
