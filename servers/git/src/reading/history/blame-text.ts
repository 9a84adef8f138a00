import { counted, moreNote } from '@rootbound/kit/budget';
import type { BlameOutput } from './blame-schema.ts';
import { shallowLines } from './shallow-note.ts';

/** Returns a line for each run: its lines, the commit, the day, the author and the subject. */
export function textOf({ path, commit, runs, commits, shallow, ...page }: BlameOutput): string {
  const by = new Map(commits.map((one) => [one.oid, one]));
  const lines = runs.map((run) => {
    const last = run.start + run.count - 1;
    const where = run.count === 1 ? `${run.start}` : `${run.start}-${last}`;
    const made = run.commit === undefined ? undefined : by.get(run.commit);
    return made === undefined ? `${where} not committed yet` : `${where} ${commitText(made)}${fromText(run)}`;
  });
  const head = `${path} in ${commit === undefined ? 'the work tree' : commit.slice(0, 12)}`;
  if (runs.length === 0) lines.push('no lines');
  lines.push(...shallowLines(shallow));
  if (page.truncated)
    lines.push(moreNote(`${counted(runs.length, 'run', 'runs')}, and more lines`, page.next_cursor));
  return [head, ...lines].join('\n');
}

function commitText({ oid, author, subject, boundary }: BlameOutput['commits'][number]): string {
  const mark = boundary === true ? '^' : '';
  return `${mark}${oid.slice(0, 12)} ${author.date?.slice(0, 10) ?? '-'} ${author.name}: ${subject}`;
}

function fromText({ from_path, from_line }: BlameOutput['runs'][number]): string {
  return from_path === undefined ? '' : ` (${from_path} ${from_line})`;
}
