import { showName } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import { filtersOffNotice } from './filters-off.ts';
import { operationLine } from './operations.ts';
import type { Overview, RemoteFacts } from './overview-facts.ts';
import { driftWords } from './submodules.ts';
import { worktreeLine } from './worktrees.ts';

/** Returns an overview as text. */
export function overviewText(facts: Overview): string {
  const { kind, read_only, trust, worktrees, submodules, remotes, suppressed, locks, omitted } = facts;
  return [
    `${showName(facts.repository)} (${kind}${read_only ? ', read-only' : ''})`,
    headLine(facts),
    ...commitLines(facts),
    ...countLines(facts),
    ...(facts.problem === undefined ? [] : [facts.problem]),
    ...facts.operations.map(operationLine),
    ...section(worktrees.length > 1 ? 'worktrees' : '', worktrees.map(worktreeLine)),
    ...section(
      'submodules that differ',
      submodules.map((one) => `  ${one.path}: ${driftWords(one).join(', ')}`),
    ),
    ...section('remotes', remotes.map(remoteLine)),
    ...suppressedLines(trust, suppressed),
    ...section(
      'locks',
      locks.map(
        ({ name, age_seconds }) => `  ${showName(name)}, ${counted(age_seconds, 'second', 'seconds')} old`,
      ),
    ),
    ...factLines(facts),
    ...Object.entries(omitted ?? {}).map(([list, count]) => `[${count} more ${list}]`),
  ].join('\n');
}

/** The trust is reported where nothing is suppressed, too. */
function suppressedLines(trust: Overview['trust'], suppressed: Overview['suppressed']): string[] {
  const title = `kept from executing (${trust})`;
  if (suppressed.length === 0) return [`${title}: nothing`];
  const lines = suppressed.map(({ key, scope, what, submodule }) => {
    return `  ${key} [${what}, ${scope}${submodule === undefined ? '' : `, in ${submodule}`}]`;
  });
  return section(title, lines);
}

function section(title: string, lines: readonly string[]): string[] {
  return title === '' || lines.length === 0 ? [] : [`${title}:`, ...lines];
}

function headLine({ branch, commit, upstream, ahead, behind }: Overview): string {
  const where = branch === undefined ? 'HEAD detached' : `on ${branch}`;
  if (commit === undefined) return `${where}, no commit yet`;
  if (upstream === undefined) return where;
  if (ahead === undefined || behind === undefined) return `${where}, upstream ${upstream} is gone`;
  return `${where}, ${ahead} ahead of and ${behind} behind ${upstream}`;
}

function commitLines({ commit, subject = '', author, date }: Overview): string[] {
  if (commit === undefined) return [];
  const by = [author === undefined ? undefined : showName(author), date].filter((part) => part !== undefined);
  return [`${commit.slice(0, 12)} ${showName(subject)}${by.length === 0 ? '' : ` (${by.join(', ')})`}`];
}

function countLines({
  staged,
  changed,
  untracked,
  unmerged,
  stashes = 0,
  filters_off = [],
}: Overview): string[] {
  if (staged === undefined) return [];
  const notice = filtersOffNotice(filters_off);
  const put = stashes === 0 ? '' : `, ${counted(stashes, 'stash', 'stashes')}`;
  const counts = `${staged} staged, ${changed} changed, ${untracked} untracked, ${unmerged} unmerged${put}`;
  return notice === undefined ? [counts] : [counts, notice];
}

function remoteLine({ name, url, push_urls }: RemoteFacts): string {
  const push = push_urls === undefined ? '' : ` (push: ${push_urls.map(showName).join(', ')})`;
  return `  ${name} ${url === undefined ? 'without a URL' : showName(url)}${push}`;
}

function factLines({ facts, containment }: Overview): string[] {
  const unusual = [...facts, ...(containment === 'kernel' ? [] : [`${containment} containment`])];
  return unusual.length === 0 ? [] : [unusual.join(', ')];
}
