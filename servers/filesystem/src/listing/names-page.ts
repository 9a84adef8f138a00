import type { OpenDirectory } from '@rootbound/kit/boundary';
import type { FoundName, NamesOutcome } from '../search/outcome.ts';
import type { NameQuery } from '../search/query.ts';
import { type Finding, find } from './find.ts';
import { fit, type Halves } from './page.ts';
import { bytePathOf } from './paths.ts';

/** What is below a directory, as a caller asked for it. */
export interface NamesWanted {
  include: readonly string[];
  exclude: readonly string[];
  limit: number;
  /** the byte path behind which results begin */
  after: string | undefined;
}

/** Puts the first `names` into words; `next` is where the rest begins, if there is any. */
export type SayNames<H extends Halves> = (
  names: readonly FoundName[],
  next: string | undefined,
  outcome: NamesOutcome,
) => H;

/** One page of names below a directory, cut to the budget of both halves. */
export async function namesPage<H extends Halves>(
  { fd, path }: OpenDirectory,
  { include, exclude, limit, after }: NamesWanted,
  maxOutput: number,
  finding: Finding,
  say: SayNames<H>,
): Promise<H> {
  const search = (most: number): Promise<NamesOutcome> => {
    const where: NameQuery = { kind: 'names', root: { fd, path }, include, exclude, limit: most };
    return find(after === undefined ? where : { ...where, after }, finding);
  };
  const outcome = await search(limit);
  const { names } = outcome;
  const { kept, halves } = fit(names.length, maxOutput, (count) => {
    if (count === names.length) return say(names, outcome.next, outcome);
    const { path: last } = names[count - 1]!;
    return say(names.slice(0, count), bytePathOf(last) ?? last, outcome);
  });
  if (kept === names.length || bytePathOf(names[kept - 1]!.path) !== undefined) return halves;
  // only the search knows the bytes of a name that is shown by escapes
  const shorter = await search(kept);
  return say(shorter.names, shorter.next, shorter);
}
