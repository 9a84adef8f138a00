import { basename, dirname, join, sep } from 'node:path';
import { Scope, statEntry, toFileUri } from '@rootbound/kit/boundary';
import { repositoryAbove } from './above.ts';
import { type GitDir, readGitDir } from './git-dir.ts';
import { type LocalConfig, readLocalConfig } from './local-config.ts';
import { contentOf, type Folder, folderAt, follow, followToFolder, pathIn, statsIn } from './pointers.ts';
import { type Look, leadsOut, malformed, notARepository, OF_LINKED, unsupported } from './refusals.ts';
import type { Allowed, Repository } from './repository.ts';

/** The arguments with which one call opens a repository. */
interface Opening extends Look {
  /** the boundary of the work tree; `scope` has the permitted common dirs, too */
  readonly roots: Scope;
  readonly allowed: Allowed;
}

/**
 * Opens the repository that holds a path: found as by git, but never above the roots, and a bare one only by its own
 * path. Everything that git would follow is checked at every call.
 */
export function openRepository(roots: Scope, path: string, allowed: Allowed): Repository {
  const look = { roots, allowed, scope: widen(roots, allowed.commonDirs), displayPath: path };
  const start = startOf(roots, path);
  let broken: string | undefined;
  for (let folder: string | undefined = start.folder; folder !== undefined; folder = above(roots, folder)) {
    const found = repositoryAt(look, folder) ?? (folder === start.named ? namedAt(look, folder) : undefined);
    if (found === 'broken')
      broken ??= 'a .git is there, but no HEAD, objects or refs that git takes for a repository';
    else if (found !== undefined) return found;
  }
  const { folder = '' } = start;
  throw notARepository(path, broken, repositoryAbove(roots, folder));
}

/** Returns the folder where the search begins, and the same as `named` when the path is that folder's own. */
function startOf(roots: Scope, path: string): { folder: string | undefined; named?: string } {
  const { stat, path: real, target } = statEntry(roots, path);
  const seen = target ?? { stat, path: real };
  if (seen.stat.isDirectory()) return { folder: seen.path, named: seen.path };
  return { folder: above(roots, real) };
}

/** Returns the folder above; undefined where the boundary ends. */
function above(roots: Scope, folder: string): string | undefined {
  const next = dirname(folder);
  return next === folder || roots.rootOf(next) === undefined ? undefined : next;
}

/** Returns the repository whose top level is a folder; `broken` when git would skip it. */
function repositoryAt(look: Opening, top: string): Repository | 'broken' | undefined {
  const dotGit = join(top, '.git');
  const [own] = statsIn(look, top, ['.git']);
  const stat = own?.isSymbolicLink() ? statEntry(look.scope, dotGit).target?.stat : own;
  if (own === undefined) return undefined;
  if (stat === undefined) throw leadsOut(look, dotGit);
  if (stat.isFile()) return fromGitfile(look, top, dotGit, own.uid);
  if (!stat.isDirectory()) throw malformed(look, dotGit, 'is neither a folder nor a file');
  const folder = folderAt(look.scope, dotGit);
  const gitDir = folder === undefined ? undefined : readGitDir(look, folder);
  return gitDir === undefined ? 'broken' : describe(look, gitDir, top);
}

const gitfile = 'gitdir: ';

function fromGitfile(look: Opening, top: string, dotGit: string, owner: number): Repository {
  const content = contentOf(look, dotGit);
  if (content?.subarray(0, gitfile.length).toString('latin1') !== gitfile)
    throw malformed(look, dotGit, 'is a file that names no git dir');
  const written = pathIn(look, dotGit, content.subarray(gitfile.length));
  const linked = basename(dirname(written)) === 'worktrees';
  const following = linked ? { ...look, leadsOutHint: OF_LINKED } : look;
  const folder = followToFolder(following, dotGit, top, written);
  const gitDir = readGitDir(following, folder);
  // outside: the answer must not differ from that for a missing one
  if (gitDir === undefined) throw leadsOut(following, dotGit);
  return describe(look, gitDir, top, [owner]);
}

/** Returns the git dir that the path itself names. One called `.git` belongs to the folder above it. */
function namedAt(look: Opening, path: string): Repository | undefined {
  if (basename(path) === '.git' && above(look.roots, path) !== undefined) return undefined;
  const folder = folderAt(look.scope, path);
  const gitDir = folder === undefined ? undefined : readGitDir(look, folder);
  return gitDir === undefined || gitDir.linked ? undefined : describe(look, gitDir, undefined);
}

function describe(
  look: Opening,
  gitDir: GitDir,
  top: string | undefined,
  owners: readonly number[] = [],
): Repository {
  const { folder, common, linked } = gitDir;
  const settings = readLocalConfig(look, folder.path, common.path);
  const dotGit = top === undefined ? undefined : join(top, '.git');
  const workTree = settings.bare && !linked ? undefined : workTreeOf(look, folder, settings.workTree, top);
  const submodule = folder.path !== dotGit && isOfSuperproject(look, folder.path);
  const comesBack = linked
    ? leadsBack(look, folder, dotGit)
    : submodule && settings.workTree !== undefined && workTree?.path === top;
  if (linked && !comesBack) throw leadsOut(look, join(folder.path, 'gitdir'));
  // a permitted common dir is for work trees that it knows, not for any file that names it
  const outside = [folder, common].some(({ path }) => look.roots.rootOf(path) === undefined);
  if (outside && !comesBack) throw leadsOut(look, dotGit ?? folder.path);
  const parts = [workTree ?? folder, folder, common];
  if (parts.some(({ path }) => !path.isWellFormed()))
    throw unsupported(
      look.displayPath,
      'its path is not UTF-8',
      'rename the folder: git is started with paths as text',
    );
  return {
    place: { gitDir: folder.path, workTree: workTree?.path },
    top: top ?? folder.path,
    commonDir: common.path,
    kind: linked ? 'linked-worktree' : submodule ? 'submodule' : workTree === undefined ? 'bare' : 'normal',
    root: parts[0]!.root,
    readOnly: parts.some(({ root }) => root.readOnly),
    identity: `${folder.identity}/${workTree?.identity ?? ''}`,
    commonIdentity: common.identity,
    owners: { judged: [...owners, ...parts.map(({ uid }) => uid).slice(0, 2)], common: common.uid },
    settings,
    passedOver: gitDir.passedOver,
    reach: look.scope,
    opened: { roots: look.roots, allowed: look.allowed },
  };
}

function workTreeOf(
  { roots: scope, displayPath }: Opening,
  gitDir: Folder,
  set: LocalConfig['workTree'],
  top: string | undefined,
): Folder | undefined {
  if (set !== undefined)
    return followToFolder({ scope, displayPath, key: 'core.worktree' }, set.file, gitDir.path, set.written);
  return top === undefined ? undefined : folderAt(scope, top);
}

/** Returns whether a linked work tree's git dir says that it belongs to this `.git`. */
function leadsBack(look: Look, gitDir: Folder, dotGit: string | undefined): boolean {
  const file = join(gitDir.path, 'gitdir');
  const content = contentOf(look, file);
  return (
    content !== undefined && follow(look, file, gitDir.path, pathIn(look, file, content)).path === dotGit
  );
}

/** Returns whether a git dir lies where a superproject keeps those of its submodules. */
function isOfSuperproject(look: Look, gitDir: string): boolean {
  const modules = `${sep}modules${sep}`;
  for (let at = gitDir.indexOf(modules); at !== -1; at = gitDir.indexOf(modules, at + 1))
    if (statsIn(look, gitDir.slice(0, at), ['HEAD'])[0] !== undefined) return true;
  return false;
}

const widened = new WeakMap<Scope, Map<string, Scope>>();

/**
 * Returns a scope that has the permitted common dirs, too: for git dirs alone, never for a path that a caller sends.
 */
function widen(roots: Scope, commonDirs: readonly string[]): Scope {
  if (commonDirs.length === 0) return roots;
  const key = commonDirs.join('\0');
  const known = widened.get(roots) ?? new Map<string, Scope>();
  let scope = known.get(key);
  if (scope === undefined) {
    const permitted = commonDirs.map((path) => ({
      path,
      real: path,
      readOnly: false,
      uri: toFileUri(path),
      name: basename(path),
    }));
    const anchors = roots.anchors ?? roots.roots.map((root) => root.real);
    const { reason, containment, deny } = roots;
    scope = new Scope({ roots: [...roots.roots, ...permitted], reason, containment, deny, anchors });
    widened.set(roots, known.set(key, scope));
  }
  return scope;
}
