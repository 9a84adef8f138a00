import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { parseStatus, type StatusOptions, statusCommand } from '../../porcelain/status.ts';
import type { Changed, Modules, StatusEntry } from '../../porcelain/status-entries.ts';
import type { Audit, Inner } from '../../repository/audit.ts';
import { declaredIn } from '../../repository/given.ts';
import { readingPlace } from '../../repository/private-dir.ts';
import type { Repository } from '../../repository/repository.ts';
import type { Git } from '../../run/git.ts';
import { run } from '../../run/run.ts';

type Dirt = Pick<Modules, 'modified' | 'untracked'>;

const clean: Dirt = { modified: false, untracked: false };

/** A superproject, and the functions with which its submodules are inspected. */
interface Around {
  readonly git: Git;
  readonly repository: Repository;
  readonly audit: Audit;
  readonly signal: AbortSignal;
}

/**
 * Returns the entries of a status with the changes inside submodules, as git would have found them: git itself is kept
 * out of the submodules of a repository that is not trusted.
 */
export async function withSubmodules(
  opened: Opened,
  entries: readonly StatusEntry[],
  options: StatusOptions,
): Promise<readonly StatusEntry[]> {
  const { audit } = opened;
  if (opened.state === 'trusted' || audit.submodules.length === 0) return entries;
  const asked = audit.submodules.filter(({ path }) => isAsked(path, options));
  const found = new Map<string, Dirt>();
  for (const [inner, dirt] of await dirtIn(opened, asked, options.untracked !== 'none'))
    found.set(nameOfByteString(Buffer.from(inner.path).toString('latin1')), dirt);
  return merged(entries, found);
}

function isAsked(path: string, { paths }: StatusOptions): boolean {
  return (
    paths?.some((asked) => {
      const text = asked.toString().replace(/\/{1,9}$/, '');
      return text === '.' || text === path || path.startsWith(`${text}/`);
    }) ?? true
  );
}

async function dirtIn(
  { git, repository, signal }: Omit<Around, 'audit'>,
  submodules: readonly Inner[],
  untracked: boolean,
): Promise<[Inner, Dirt][]> {
  const ignores = new Map([...declaredIn(repository).values()].map(({ path, ignore }) => [path, ignore]));
  const found: [Inner, Dirt][] = [];
  for (const inner of submodules) {
    const ignore = ignores.get(Buffer.from(inner.path).toString('latin1'));
    if (ignore === 'all' || ignore === 'dirty') continue;
    const around = { git, repository: inner.repository, audit: inner.audit, signal };
    const dirt = await dirtOf(around, untracked && ignore !== 'untracked');
    if (dirt.modified || dirt.untracked) found.push([inner, dirt]);
  }
  return found;
}

/** Returns the changes in one submodule; untracked files in its own submodules count as untracked here, too. */
async function dirtOf({ git, repository, audit, signal }: Around, untracked: boolean): Promise<Dirt> {
  if (repository.place.workTree === undefined) return clean;
  const asked = statusCommand({ untracked: untracked ? 'folders' : 'none', renames: false });
  const { stdout } = await run(git, asked, { place: readingPlace(repository, audit.given), signal });
  let { modified, untracked: loose } = clean;
  for (const entry of parseStatus(stdout).entries) {
    if (entry.kind === 'untracked') loose = true;
    else if (entry.kind !== 'ignored') modified = true;
  }
  for (const [, inner] of await dirtIn({ git, repository, signal }, audit.submodules, untracked)) {
    modified ||= inner.modified;
    loose ||= inner.untracked;
  }
  return { modified, untracked: loose };
}

function merged(entries: readonly StatusEntry[], found: Map<string, Dirt>): readonly StatusEntry[] {
  const result = entries.map((entry) => {
    const dirt = found.get(entry.path);
    if (dirt === undefined || !('submodule' in entry) || entry.submodule === undefined) return entry;
    found.delete(entry.path);
    const submodule = { ...entry.submodule, ...dirt };
    return entry.kind === 'changed' && entry.worktree === '.'
      ? { ...entry, worktree: 'M' as const, submodule }
      : { ...entry, submodule };
  });
  if (found.size === 0) return result;
  const tracked = result.findIndex(({ kind }) => kind === 'untracked' || kind === 'ignored');
  const added = [...found].map(([path, dirt]) => entryOf(path, dirt));
  const end = tracked === -1 ? result.length : tracked;
  const sorted = [...result.slice(0, end), ...added].sort(byPath);
  return [...sorted, ...result.slice(end)];
}

/** git lists changed paths by their bytes, and unmerged ones after them */
function byPath(one: StatusEntry, other: StatusEntry): number {
  if (one.kind !== other.kind) return one.kind === 'unmerged' ? 1 : -1;
  return Buffer.compare(Buffer.from(one.path), Buffer.from(other.path));
}

/** A submodule at the recorded commit that has changes. */
function entryOf(path: string, dirt: Dirt): Changed {
  const version = { mode: '160000', oid: undefined };
  return {
    kind: 'changed',
    path,
    index: '.',
    worktree: 'M',
    head: version,
    staged: version,
    worktreeMode: '160000',
    submodule: { newCommits: false, ...dirt },
    from: undefined,
  };
}
