import { readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { assertObjectsInside } from './alternates.ts';
import { assertNoLinkOut } from './links.ts';
import { contentOf, type Folder, folderAt, followToFolder, pathIn, statsIn } from './pointers.ts';
import { type Look, leadsOut, malformed } from './refusals.ts';

/** A git dir of which all that git follows was seen to be inside. */
export interface GitDir {
  readonly folder: Folder;
  /** what linked worktrees share: `folder` itself but for those */
  readonly common: Folder;
  /** whether it is that of a linked worktree */
  readonly linked: boolean;
}

/**
 * The git dir that a folder is, undefined when git would not take it for one. Refused when a part of it is outside, and
 * when git and this server could come to different answers: git takes any executable thing for objects and refs.
 */
export function readGitDir(look: Look, folder: Folder): GitDir | undefined {
  const inside = (name: string): string => join(folder.path, name);
  const [head, pointer, own] = statsIn(look, folder.path, ['HEAD', 'commondir', 'objects']);
  // a folder that is none is not looked through: it may be large
  if (head === undefined || (pointer ?? own) === undefined) return undefined;
  assertNoLinkOut(look, folder.path);
  if (!isHead(look, inside('HEAD'), head)) return undefined;
  const common = pointer === undefined ? folder : commonOf(look, folder);
  if (common !== folder) assertNoLinkOut(look, common.path);
  const objects = folderIn(look, common, 'objects');
  const refs = folderIn(look, common, 'refs');
  if (objects === undefined || refs === undefined) return undefined;
  assertObjectsInside(look, objects);
  return { folder, common, linked: pointer !== undefined };
}

/** A folder of a git dir, undefined where nothing has its name; refused where something else has. */
function folderIn(look: Look, { path }: Folder, name: string): Folder | undefined {
  const folder = folderAt(look.scope, join(path, name));
  if (folder === undefined && statsIn(look, path, [name])[0] !== undefined)
    throw malformed(look, join(path, name), 'is no folder');
  return folder;
}

/** As much of a HEAD is looked at by git. */
const HEAD_BYTES = 255;

/** Whether git takes an entry for a HEAD: a link whose text begins with refs/, a ref by its full name, or an id. */
function isHead(look: Look, file: string, head: Stats): boolean {
  if (head.isSymbolicLink()) return readlinkSync(file, 'latin1').startsWith('refs/');
  if (head.isDirectory()) return false;
  if (!head.isFile()) throw malformed(look, file, 'is no file');
  const content = contentOf(look, file)?.subarray(0, HEAD_BYTES).toString('latin1') ?? '';
  return /^(?:ref:[ \t\n\v\f\r]*refs\/|[0-9a-fA-F]{40})/.test(content);
}

function commonOf(look: Look, folder: Folder): Folder {
  const file = join(folder.path, 'commondir');
  const content = contentOf(look, file);
  if (content === undefined) throw leadsOut(look, file);
  return followToFolder(look, file, folder.path, pathIn(look, file, content));
}
