import { fit, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply, ToolError } from '@rootbound/protocol';
import { isIndex, toPaths } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { type ConflictedPath, conflictsCommand, parseConflicts } from '../../porcelain/conflicts.ts';
import { conflictFacts, hasMarkers } from './conflict-facts.ts';
import type { ConflictFacts, ConflictsArguments, ConflictsOutput } from './conflict-schema.ts';
import { inTree, inWorkTree, type MarkedFile, markerSizes } from './conflict-sources.ts';
import { textOf } from './conflict-text.ts';
import { operationsOf } from './operations.ts';
import { preflight } from './preflight.ts';

/** Reads the conflicts of the index, or those of a preflight. */
interface Found {
  readonly conflicts: readonly ConflictedPath[];
  readonly marked: MarkedFile;
  readonly facts: Pick<ConflictsOutput, 'operations' | 'preflight'>;
}

/** Bytes of names that fit every command line, and files that one call reads. */
const MOST_NAMES = 16_384;
const MOST_FILES = 200;

export async function readConflicts(
  opened: Opened,
  args: ConflictsArguments,
  tool: string,
  maxOutput: number,
): Promise<Reply> {
  const found = await find(opened, args);
  const { conflicts, facts } = found;
  const query = queryOf(opened, args, found);
  const start = args.cursor === undefined ? 0 : openPosition(tool, query, args.cursor, isIndex);
  const items = await itemsFrom(opened, found, start, args, maxOutput);
  const { halves } = fit(items.length, maxOutput, (kept) => {
    const end = start + kept;
    const truncated = end < conflicts.length;
    const structured: ConflictsOutput = {
      ...(start === 0 && facts.operations !== undefined && { operations: facts.operations }),
      ...defined({ preflight: facts.preflight }),
      conflicts: items.slice(0, kept),
      total: conflicts.length,
      truncated,
      ...(truncated && { next_cursor: sealPosition(tool, query, end) }),
    };
    return { structured, text: textOf(structured) };
  });
  return reply({ structured: halves.structured, content: halves.text });
}

async function find(opened: Opened, { paths = [], merge, into }: ConflictsArguments): Promise<Found> {
  if (merge === undefined) {
    if (into !== undefined)
      throw new ToolError('into is of a preflight: give merge too', { code: 'invalid-arguments' });
    const { stdout } = await opened.run(conflictsCommand(toPaths(paths)));
    const operations = operationsOf(opened.repository);
    return { conflicts: parseConflicts(stdout), marked: inWorkTree(opened), facts: { operations } };
  }
  const { facts, tree, conflicts } = await preflight(opened, merge, into ?? 'HEAD');
  const wanted = (path: string) =>
    paths.length === 0 || paths.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, '')}/`));
  return {
    conflicts: conflicts.filter(({ path }) => wanted(path)),
    marked: inTree(opened, tree),
    facts: { preflight: facts },
  };
}

/** Returns the items that fill a result, beginning at an index of the list. */
async function itemsFrom(
  opened: Opened,
  { conflicts, marked }: Found,
  start: number,
  { contents }: ConflictsArguments,
  maxOutput: number,
): Promise<ConflictFacts[]> {
  const page = pageOf(conflicts.slice(start, start + MOST_FILES));
  const sizes = await markerSizes(
    opened,
    page.filter(hasMarkers).map(({ path }) => path),
  );
  const items: ConflictFacts[] = [];
  let left = maxOutput;
  for (const conflict of page) {
    const item = await conflictFacts(opened, conflict, { contents, marked, sizes, room: maxOutput / 2 });
    items.push(item);
    left -= Buffer.byteLength(JSON.stringify(item));
    if (left < 0) break;
  }
  return items;
}

function pageOf(conflicts: readonly ConflictedPath[]): readonly ConflictedPath[] {
  const page: ConflictedPath[] = [];
  let left = MOST_NAMES;
  for (const conflict of conflicts) {
    left -= Buffer.byteLength(conflict.path);
    if (left < 0 && page.length > 0) break;
    page.push(conflict);
  }
  return page;
}

function queryOf({ repository }: Opened, args: ConflictsArguments, { facts }: Found) {
  const { paths = [], contents = '' } = args;
  const { ours = '', theirs = '' } = facts.preflight ?? {};
  return [repository.identity, contents, ours, theirs, ...paths];
}
