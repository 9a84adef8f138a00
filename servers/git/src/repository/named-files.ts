import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isInside, statEntry, textOfBytes } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Setting } from './config-text.ts';
import { scopeOfFiles } from './files.ts';
import { entryAt } from './links.ts';
import type { LocalSetting } from './local-config.ts';
import type { Repository } from './repository.ts';

/** Settings that name a file of which git runs nothing, as `.gitignore` and its like; of `list` all values count. */
const ofFiles: Readonly<Record<string, 'last' | 'list'>> = {
  'blame.ignorerevsfile': 'list',
  'core.attributesfile': 'last',
  'core.excludesfile': 'last',
  'diff.orderfile': 'last',
  'mailmap.file': 'last',
};

/** Other settings whose file git reads and may quote in an error. */
const quoted: ReadonlySet<string> = new Set([
  'fetch.fsck.skiplist',
  'fsck.skiplist',
  'receive.fsck.skiplist',
]);

/** A setting that git may use without trust, since its file is one of the work tree. */
export interface NamedFile {
  readonly setting: LocalSetting;
  /** the same with the real path of the file */
  readonly given: Setting;
}

/** Returns the settings of a repository that name files of its work tree, and only such. */
export function namedFilesOf(repository: Repository): NamedFile[] {
  const { ignored } = repository.settings;
  return ignored.flatMap((setting, at) => {
    const { key, value } = setting;
    const counts = Object.hasOwn(ofFiles, key) ? ofFiles[key] : undefined;
    if (counts === undefined || value === undefined) return [];
    if (counts === 'last' && ignored.findLastIndex((other) => other.key === key) !== at) return [];
    const file = fileInWorkTree(repository, textOfBytes(Buffer.from(value, 'latin1')));
    return file === undefined ? [] : [{ setting, given: [key, toBytes(file)] as const }];
  });
}

/**
 * Returns the path at which git would read a file for a setting of the operator's that names it from the top of the
 * work tree, where the repository's author may have put anything; undefined for other settings.
 */
export function pathFromTop(
  { place }: Repository,
  { key, value }: Pick<LocalSetting, 'key' | 'value'>,
): string | undefined {
  const written = textOfBytes(Buffer.from(value ?? '', 'latin1'));
  if (!Object.hasOwn(ofFiles, key) && !quoted.has(key)) return undefined;
  if (written === '' || written.startsWith('~')) return undefined;
  return isAbsolute(written) ? undefined : join(place.workTree ?? place.gitDir, written);
}

/** Returns whether such a path has something other than a file of the work tree: a link may lead anywhere. */
export function isForeignFile(repository: Repository, path: string): boolean {
  return fileInWorkTree(repository, path) === undefined && !isMissing(path);
}

function isMissing(path: string): boolean {
  try {
    return entryAt(path) === undefined;
  } catch {
    // a loop, or a folder that cannot be entered
    return false;
  }
}

/** Returns the real path of a regular file that is in the work tree and not denied; undefined for any other. */
function fileInWorkTree({ place, commonDir, opened }: Repository, written: string): string | undefined {
  const { workTree, gitDir } = place;
  if (workTree === undefined || written === '') return undefined;
  const path = written.startsWith('~/') ? join(homedir(), written.slice(2)) : written;
  try {
    const own = statEntry(scopeOfFiles(opened.roots), isAbsolute(path) ? path : join(workTree, path));
    const { stat, path: real } = own.target ?? own;
    if (!stat.isFile() || !isInside(real, workTree)) return undefined;
    const ofGit = [gitDir, commonDir].some((folder) => isInside(real, folder));
    return ofGit || relative(workTree, real).split(sep).includes('.git') ? undefined : real;
  } catch (error) {
    // missing or outside
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function toBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}
