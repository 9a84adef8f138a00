import { join } from 'node:path';
import { assertObjectsInside } from './alternates.ts';
import { assertNoLinkOut } from './links.ts';
import { contentOf, type Folder, folderAt, followToFolder, pathIn, statsIn } from './pointers.ts';
import { type Look, leadsOut } from './refusals.ts';

/** A git dir of which all that git follows was seen to be inside. */
export interface GitDir {
  readonly folder: Folder;
  /** what linked worktrees share: `folder` itself but for those */
  readonly common: Folder;
  /** whether it is that of a linked worktree */
  readonly linked: boolean;
}

/** The git dir that a folder is, undefined when git would not take it for one; refused when a part of it is outside. */
export function readGitDir(look: Look, folder: Folder): GitDir | undefined {
  const inside = (name: string): string => join(folder.path, name);
  const [head, pointer, own] = statsIn(look, folder.path, ['HEAD', 'commondir', 'objects']);
  // a folder that is none is not looked through: it may be large
  if (head === undefined || (pointer ?? own) === undefined) return undefined;
  assertNoLinkOut(look, folder.path);
  if (!head.isSymbolicLink() && !isHead(contentOf(look, inside('HEAD')))) return undefined;
  const common = pointer === undefined ? folder : commonOf(look, folder);
  if (common !== folder) assertNoLinkOut(look, common.path);
  const objects = folderAt(look.scope, join(common.path, 'objects'));
  if (objects === undefined || folderAt(look.scope, join(common.path, 'refs')) === undefined)
    return undefined;
  assertObjectsInside(look, objects);
  return { folder, common, linked: pointer !== undefined };
}

/** What git takes for a HEAD: a ref by its full name, or an id. */
function isHead(content: Buffer | undefined): boolean {
  return (
    content !== undefined &&
    /^(?:ref:\s*refs\/|[0-9a-f]{40})/i.test(content.subarray(0, 256).toString('latin1'))
  );
}

function commonOf(look: Look, folder: Folder): Folder {
  const file = join(folder.path, 'commondir');
  const content = contentOf(look, file);
  if (content === undefined) throw leadsOut(look, file);
  return followToFolder(look, file, folder.path, pathIn(content));
}
