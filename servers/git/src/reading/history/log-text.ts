import { showName } from '@rootbound/kit/boundary';
import { clipText, jsonBytes } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { fileLine } from '../patches/changed-files.ts';
import { factLines, short } from './commit-facts.ts';
import { indented } from './commit-message.ts';
import type { CommitResult } from './log-schema.ts';
import type { Read } from './read-log.ts';

/** Returns a commit for a result; its long texts take at most `share` bytes of JSON. */
export function toCommitResult({ facts, message, files, graph }: Read, share: number): CommitResult {
  const clip = clipText(message, share, { measure: 'json' });
  const listed = files && within(files, share);
  return {
    ...facts,
    message: clip.kept,
    ...(clip.truncated && { message_truncated: true }),
    ...defined({ files: listed }),
    ...(files !== undefined && listed!.length < files.length && { files_total: files.length }),
    ...(graph !== undefined && { graph: within(graph, share) }),
  };
}

/** Returns one line for each commit, or whole messages as `git log` prints them. */
export function linesOf(commit: CommitResult, body: boolean): string[] {
  const { files, files_total, graph } = commit;
  const lines = [
    ...(body ? wholeLines(commit) : [oneLine(commit)]),
    ...(files ?? []).map((file) => `    ${fileLine(file)}`),
    ...(files_total === undefined ? [] : [`    [${files!.length} of ${files_total} files]`]),
    ...(body && files !== undefined && files.length > 0 ? [''] : []),
  ];
  if (graph === undefined) return lines;
  const [row = '', ...below] = graph;
  // the graph's lines continue beside the commit's other lines
  const beside = row.replace('*', '|').replace(/[^|]/g, ' ');
  return [...lines.map((line, index) => `${index === 0 ? row : beside} ${line}`.trimEnd()), ...below];
}

function oneLine({ oid, author, date, message, message_truncated: cut }: CommitResult): string {
  const when = date?.slice(0, 16).replace('T', ' ');
  const who = author && showName(author.replace(/ <[^<]*>$/, ''));
  const known = [short(oid), when, who].filter((fact) => fact !== undefined && fact !== '');
  return `${known.join(' ')}: ${showName(message)}${cut === true ? '…' : ''}`;
}

function wholeLines(commit: CommitResult): string[] {
  const { oid, message, message_truncated: cut } = commit;
  const lines = message === '' ? [] : indented(message).split('\n');
  if (cut === true) lines.push('    …');
  return [`commit ${short(oid)}`, ...factLines(commit).map(showName), '', ...lines, ''];
}

/** Returns as many of the first commits as fit. */
function within<T>(items: readonly T[], bytes: number): T[] {
  let left = bytes;
  const end = items.findIndex((item) => {
    left -= jsonBytes(JSON.stringify(item));
    return left < 0;
  });
  return items.slice(0, end === -1 ? items.length : end);
}
