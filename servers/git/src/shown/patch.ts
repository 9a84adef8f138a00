import { bytesOf, type Halves, invalidCursor } from '@rootbound/kit/budget';
import type { Opened } from '../opened.ts';
import { patchPage } from '../patches/page.ts';
import { type PatchPosition, pathOf } from '../patches/position.ts';
import { type DiffQuery, patchCommand } from '../porcelain/diff.ts';
import { type Asked, type Begun, halvesOf } from './asked.ts';

/** For a cursor, and what tells of it in either half. */
const RESERVED = 640;
/** A patch that has less room than this begins on the next page. */
const LEAST = 512;

/** A page of the patch alone. */
export async function continuePatch(
  opened: Opened,
  query: DiffQuery,
  begun: Begun,
  after: PatchPosition | null,
  asked: Asked,
): Promise<Halves> {
  const skipTo = after === null ? undefined : pathOf(after);
  const { chunks, finished } = opened.stream(patchCommand(query, { context: asked.context, skipTo }));
  const page = await addPatch(begun, chunks, after ?? undefined, asked);
  await finished;
  return page;
}

/** Whether a patch can begin behind this: none follows where there are no files. */
export function hasRoom(begun: Begun, asked: Asked): boolean {
  return begun.facts.total === 0 || roomBehind(begun, asked) >= LEAST;
}

function roomBehind({ facts, text }: Begun, asked: Asked): number {
  return asked.maxOutput - bytesOf(halvesOf(facts, text, asked)) - RESERVED;
}

/** The hunks that fit behind what there is already. */
export async function addPatch(
  begun: Begun,
  chunks: AsyncIterable<Buffer>,
  after: PatchPosition | undefined,
  asked: Asked,
): Promise<Halves> {
  const { facts, text } = begun;
  const budget = roomBehind(begun, asked);
  const page = await patchPage(chunks, { budget, context: asked.context, after });
  // git dies of a file that is not in the patch, so that this position was never ours
  if (page === undefined) throw invalidCursor();
  const { text: patch, lossy, cut, next } = page;
  const told = { ...facts, patch, ...(cut && { cut }), ...(lossy && { lossy }) };
  const both = patch === '' ? text : `${text}\n${patch}`;
  if (next === undefined) return halvesOf(told, both, asked);
  const lacks = cut ? 'the last hunk goes on' : 'there are more hunks';
  return halvesOf(told, both, asked, { place: ['patch', next], lacks });
}
