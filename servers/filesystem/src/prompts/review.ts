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
/** Maximum size of the text around the list, without the folders, in bytes. */
const FRAME_BYTES = 700;

/** Returns a text that asks the model to review the most recently changed files, with a list of them. */
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
    return `No file below ${place} was${time}. Report that, and ask for another time or folder.`;
  const lines = linesOf(recent.files, maxOutput - FRAME_BYTES - jsonBytes(place));
  return [
    `Review the most recent changes below ${place}: ${countNote(recent, lines.length, time)}, newest first, without files that ignore files exclude.`,
    ...lines,
    `Read the relevant ones${offers('read_text_file') ? ' with read_text_file' : ''}. This server has only their present content; get the previous content from version control if you can.`,
    'Then describe what the changes do together, what may be wrong or unfinished, and what to test, with paths and lines.',
  ].join('\n');
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_LIMIT) return limit;
  throw badArgument(
    `limit is not valid: ${JSON.stringify(text)}`,
    `set it to a number from 1 to ${MOST_LIMIT}`,
  );
}

function linesOf(files: readonly RecentFile[], room: number): string[] {
  const budget = new Budget(Math.max(0, room));
  const lines: string[] = [];
  for (const { path, size, modified } of files) {
    const line = `${isoTime(modified) ?? 'unknown time'}  ${formatBytes(size)}  ${showName(path)}`;
    if (!budget.take(jsonBytes(line))) break;
    lines.push(line);
  }
  return lines;
}

function countNote({ files, more }: RecentFiles, listed: number, time: string): string {
  const count = `${listed} ${listed === 1 ? 'file' : 'files'}${time}`;
  return more || listed < files.length ? `${count} (more exist)` : count;
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses a time, in milliseconds: a date, a date with a time, or an age. */
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
    'set it to a date such as 2026-11-22 or 2026-11-22T08:30Z, or an age such as 90m, 2h or 3d',
  );
}
