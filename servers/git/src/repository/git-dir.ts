import { readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { assertObjectsInside } from './alternates.ts';
import { linksPassedOver } from './links.ts';
import { contentOf, type Folder, folderAt, followToFolder, pathIn, statsIn } from './pointers.ts';
import { type Look, leadsOut, malformed, OF_LINKED } from './refusals.ts';

/** A git dir with all parts that git follows inside the boundary. */
export interface GitDir {
  readonly folder: Folder;
  /** the common directory that linked work trees share; `folder` itself for others */
  readonly common: Folder;
  /** whether it is that of a linked work tree */
  readonly linked: boolean;
  /** links to outside from which git is kept, by their paths in the folder or the common directory */
  readonly passedOver: readonly string[];
}

/**
 * Returns the git dir at a folder; undefined when git would not take it for one. Throws when a part of it is outside,
 * or when git and this server could disagree: git takes anything executable for objects and refs.
 */
export function readGitDir(look: Look, folder: Folder): GitDir | undefined {
  const inside = (name: string): string => join(folder.path, name);
  const [head, pointer, own] = statsIn(look, folder.path, ['HEAD', 'commondir', 'objects']);
  // a folder that is no git dir is not searched: it may be large
  if (head === undefined || (pointer ?? own) === undefined) return undefined;
  const passedOver = [...linksPassedOver(look, folder.path)];
  if (!isHead(look, inside('HEAD'), head)) return undefined;
  const common = pointer === undefined ? folder : commonOf(look, folder);
  if (common !== folder) passedOver.push(...linksPassedOver(look, common.path));
  const objects = folderIn(look, common, 'objects');
  const refs = folderIn(look, common, 'refs');
  if (objects === undefined || refs === undefined) return undefined;
  assertObjectsInside(look, objects);
  return { folder, common, linked: pointer !== undefined, passedOver };
}

/** Returns a folder of a git dir; undefined where the name is missing. Throws where it is no folder. */
function folderIn(look: Look, { path }: Folder, name: string): Folder | undefined {
  const folder = folderAt(look.scope, join(path, name));
  if (folder === undefined && statsIn(look, path, [name])[0] !== undefined)
    throw malformed(look, join(path, name), 'is no folder');
  return folder;
}

/** Bytes of a HEAD that git reads. */
const HEAD_BYTES = 255;

/**
 * Returns whether git takes an entry for a HEAD: a link whose text begins with refs/, a ref by its full name, or an id.
 */
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
  const following = { ...look, leadsOutHint: OF_LINKED };
  return followToFolder(following, file, folder.path, pathIn(look, file, content));
}
