import { bytesOf, type Halves, invalidCursor } from '@rootbound/kit/budget';
import type { Opened } from '../../call/open-repository.ts';
import { type DiffQuery, patchCommand } from '../../porcelain/diff.ts';
import { patchPage } from '../patches/patch-page.ts';
import { withShortIds } from '../patches/patch-text.ts';
import { type PatchPosition, pathOf } from '../patches/position.ts';
import { type Asked, type Begun, halvesOf } from './show-request.ts';

/** The data for a cursor, and for both halves of the result. */
const RESERVED = 640;
/** Bytes: a patch with less room begins on the next page. */
const LEAST = 512;

/** Returns a page with the patch alone. */
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

/** Returns whether a patch can follow: none does where there are no files. */
export function hasRoom(begun: Begun, asked: Asked): boolean {
  return begun.facts.total === 0 || roomBehind(begun, asked) >= LEAST;
}

function roomBehind({ facts, text }: Begun, asked: Asked): number {
  return asked.maxOutput - bytesOf(halvesOf(facts, text, asked)) - RESERVED;
}

/** Adds the hunks that fit after the page's other content. */
export async function addPatch(
  begun: Begun,
  chunks: AsyncIterable<Buffer>,
  after: PatchPosition | undefined,
  asked: Asked,
): Promise<Halves> {
  const { facts, text } = begun;
  const budget = roomBehind(begun, asked);
  const page = await patchPage(chunks, { budget, context: asked.context, after });
  // git dies of a file that is not in the patch, so this position is none of ours
  if (page === undefined) throw invalidCursor();
  const { text: patch, lossy, cut, next } = page;
  const result = { ...facts, patch, ...(cut && { cut }), ...(lossy && { lossy }) };
  const both = patch === '' ? text : `${text}\n${withShortIds(patch)}`;
  if (next === undefined) return halvesOf(result, both, asked);
  const lacks = cut ? 'the last hunk continues' : 'there are more hunks';
  return halvesOf(result, both, asked, { place: ['patch', next], lacks });
}
