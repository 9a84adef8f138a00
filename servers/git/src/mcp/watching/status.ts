import { hash } from 'node:crypto';
import { join } from 'node:path';
import { defined } from '@rootbound/kit/primitives';
import type { Opened } from '../../call/open-repository.ts';
import { parseStatus, type Status } from '../../porcelain/status.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';
import { command } from '../../run/command.ts';
import type { RefFiles } from './ref-files.ts';
import { operationsWord, stashWord, worktreesWord } from './state-texts.ts';
import type { Trace } from './trace.ts';
import type { Seen } from './watched.ts';
import { filesOf } from './work-tree.ts';

/** Bytes of a status; a longer one is of a work tree that is too large. */
const MOST_BYTES = 4 << 20;

/** Reads the status, and the files on which it depends. */
export async function lookAtStatus(opened: Opened, trace: Trace, refs: RefFiles): Promise<Seen> {
  const { place, commonDir } = opened.repository;
  // each relevant one is looked at, so that it is watched
  for (const name of ['index', 'info/exclude', 'config.worktree']) trace.add(join(place.gitDir, name));
  trace.add(join(commonDir, 'info', 'exclude'));
  refs.value('HEAD');
  stashWord(trace, refs, commonDir);
  const { stdout, truncated } = await opened.run(statusOfAll, { maxBytes: MOST_BYTES });
  if (truncated) return { word: hash('sha256', stdout), files: 'too many' };
  const status = parseStatus(stdout);
  const { upstream } = status.branch;
  if (upstream !== undefined) for (const top of ['heads', 'remotes']) refs.value(`refs/${top}/${upstream}`);
  const ignored = status.entries.flatMap(({ kind, path }) => (kind === 'ignored' ? path : []));
  return { word: wordOf(status), files: await filesOf(opened, ignored) };
}

const statusOfAll = command('status', {
  flags: [
    ...['--branch', '--show-stash', '--ahead-behind', '--find-renames'],
    ...['--untracked-files=normal', '--ignored=matching'],
  ] as const,
});

/** Returns a text for a status: its letters, without ids. */
function wordOf({ branch, stashes, entries }: Status): string {
  return JSON.stringify([branch, stashes, entries.filter(({ kind }) => kind !== 'ignored').map(entryText)]);
}

function entryText(entry: StatusEntry): unknown {
  if (!('submodule' in entry)) return [entry.kind, entry.path];
  const { path, submodule } = entry;
  if (entry.kind === 'unmerged') return [path, submodule, entry.conflict];
  return [path, submodule, entry.index, entry.worktree, entry.from?.path];
}

/** Reads the data of an overview, except locks, which appear and vanish with every run of git. */
export async function lookAtWhole(opened: Opened, trace: Trace, refs: RefFiles): Promise<Seen> {
  const { repository, audit, state } = opened;
  const { place, commonDir } = repository;
  for (const name of ['config', 'shallow', 'hooks']) trace.add(join(commonDir, name), 'directory');
  const words = [
    refs.value('HEAD'),
    stashWord(trace, refs, commonDir),
    operationsWord(trace, place.gitDir),
    worktreesWord(trace, repository),
    trace.read(join(commonDir, 'config'))?.toString('latin1'),
    JSON.stringify([audit.facts, audit.suppressed, state]),
  ];
  const { word, files } =
    place.workTree === undefined ? { word: '', files: undefined } : await lookAtStatus(opened, trace, refs);
  return { word: JSON.stringify([...words, word]), ...defined({ files }) };
}
