import { showName } from '@rootbound/kit/boundary';
import { Budget, formatBytes, jsonBytes } from '@rootbound/kit/budget';
import type { CallContext } from '@rootbound/protocol';
import { isoTime } from '../listing/facts.ts';
import type { Offers, Workspace } from '../workspace.ts';
import { argumentRoom, badArgument, readArguments } from './arguments.ts';
import { foldersOf, nameFolders } from './folders.ts';
import { type RecentFile, type RecentFiles, recentFiles } from './recent.ts';

const DEFAULT_LIMIT = 20;
const MOST_LIMIT = 200;
/** What the words around the list take at most, folders apart. */
const WORDS = 700;

/** Asks the model to review the files that were changed last, with the list of them. */
export async function reviewChanges(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
  offers: Offers,
): Promise<string> {
  const { scope, maxOutput } = context.scope;
  const given = readArguments(args, ['path', 'since', 'limit'], maxOutput);
  const limit = readLimit(given.limit);
  const since = given.since === undefined ? Number.NEGATIVE_INFINITY : readSince(given.since, Date.now());
  const folders = foldersOf(scope, given.path);
  const recent = await recentFiles(folders, { limit, since }, context);
  const place = nameFolders(folders, argumentRoom(maxOutput));
  const time = given.since === undefined ? '' : ` changed since ${isoTime(since) ?? given.since}`;
  if (recent.files.length === 0)
    return `No file below ${place} was${time}. Say so, and ask which time or folder was meant.`;
  const lines = linesOf(recent.files, maxOutput - WORDS - jsonBytes(place));
  return [
    `Review what was changed last below ${place}: ${countNote(recent, lines.length, time)}, newest first, without what ignore files leave out.`,
    ...lines,
    `Read those that matter${offers('read_text_file') ? ' with read_text_file' : ''}; this server knows only their present content, so take what was there before from version control if you can reach it.`,
    'Then say what the changes seem to do together, what may be wrong or unfinished, and what to test, each with path and lines.',
  ].join('\n');
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_LIMIT) return limit;
  throw badArgument(`limit is not usable: ${JSON.stringify(text)}`, `give a number from 1 to ${MOST_LIMIT}`);
}

function linesOf(files: readonly RecentFile[], room: number): string[] {
  const budget = new Budget(Math.max(0, room));
  const lines: string[] = [];
  for (const { path, size, modified } of files) {
    const line = `${isoTime(modified) ?? 'at an odd time'}  ${formatBytes(size)}  ${showName(path)}`;
    if (!budget.take(jsonBytes(line))) break;
    lines.push(line);
  }
  return lines;
}

function countNote({ files, more }: RecentFiles, listed: number, time: string): string {
  const count = `${listed} ${listed === 1 ? 'file' : 'files'}${time}`;
  return more || listed < files.length ? `${count} (there are more)` : count;
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The time that an argument names, in milliseconds: a date, a date with a time, or how long ago. */
function readSince(text: string, now: number): number {
  const plain = text.trim();
  const ago = /^(\d{1,6})\s*([mhdw])$/i.exec(plain);
  const time = ago
    ? now - Number(ago[1]) * unitMs[ago[2]!.toLowerCase()]!
    : /^\d{4}-\d{2}-\d{2}/.test(plain)
      ? Date.parse(plain)
      : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw badArgument(
    `since is not a time: ${JSON.stringify(text)}`,
    'give a date such as 2026-11-22 or 2026-11-22T08:30Z, or how long ago, such as 90m, 2h or 3d',
  );
}
