import type { Complete } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';
import { entryAt } from '../../repository/revisions.ts';
import { parseTree } from '../../repository/tree.ts';
import type { Oid } from '../../run/oid.ts';
import { completeIn } from './in-repository.ts';

const MAX_TREE_BYTES = 4 << 20;

/** Returns paths of files and folders at the given revision, or at HEAD; folders end in a slash. */
export const completePaths: Complete<Workspace> = (value, context, { repo_path, revision }) =>
  completeIn(repo_path, context, (opened) => pathsAt(opened, revision || 'HEAD', value));

/** Returns the paths at a revision that continue the typed text, each as results name it. */
export async function pathsAt(opened: Opened, revision: string, typed: string): Promise<string[]> {
  const path = bytesOfName(typed).toString('latin1');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const tree = await treeAt(opened, revision, folder);
  const contents = tree && (await opened.objects.read(tree, MAX_TREE_BYTES));
  if (tree === undefined || contents?.bytes === undefined) return [];
  return parseTree(contents.bytes, tree)
    .map(({ name, type }) => folder + bytesOfName(name).toString('latin1') + (type === 'tree' ? '/' : ''))
    .filter((found) => found.startsWith(path))
    .map(nameOfByteString);
}

async function treeAt(opened: Opened, revision: string, folder: string): Promise<Oid | undefined> {
  const top = await opened.resolve(revision, 'tree');
  if (folder === '') return top;
  const entry = await entryAt(opened.objects, top, Buffer.from(folder, 'latin1'));
  return entry?.type === 'tree' ? entry.oid : undefined;
}
