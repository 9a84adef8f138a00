import { fit, type Halves } from '@rootbound/kit/budget';
import type { FoundName, NamesOutcome } from '../search/outcome.ts';
import type { NameQuery, Position, Sort } from '../search/query.ts';
import { find, type SearchCall } from './find.ts';
import { bytePathOf } from './paths.ts';
import type { SearchTarget } from './search-target.ts';

/** A caller's request for names below a directory. */
export type NameOptions = Pick<NameQuery, 'include' | 'exclude' | 'limit' | 'types' | 'depth'> & {
  sort: Sort;
  after: Position | undefined;
};

/** Renders names as a result; `next` is the position of the remaining ones, if any. */
export type RenderNames<H extends Halves> = (
  names: readonly FoundName[],
  next: Position | undefined,
  outcome: NamesOutcome,
) => H;

/** Returns one page of names below a directory, cut to the size limit of both halves. */
export async function namesPage<H extends Halves>(
  { where }: SearchTarget,
  { after, ...wanted }: NameOptions,
  maxOutput: number,
  call: SearchCall,
  render: RenderNames<H>,
): Promise<H> {
  const search = (limit: number): Promise<NamesOutcome> => {
    const query: NameQuery = { kind: 'names', ...where, ...wanted, limit };
    return find<NameQuery>(after === undefined ? query : { ...query, after }, call);
  };
  const outcome = await search(wanted.limit);
  const { names } = outcome;
  const { kept, halves } = fit(names.length, maxOutput, (count) => {
    if (count === names.length) return render(names, outcome.next, outcome);
    return render(names.slice(0, count), positionOf(names[count - 1]!, wanted.sort), outcome);
  });
  if (kept === names.length || bytePathOf(names[kept - 1]!.path) !== undefined) return halves;
  // only the search knows the bytes of a name that has escapes
  const shorter = await search(kept);
  return render(shorter.names, shorter.next, shorter);
}

function positionOf({ path: displayed, size = -1, modified }: FoundName, sort: Sort): Position {
  const path = bytePathOf(displayed) ?? displayed;
  const key = sort === 'size' ? size : modified;
  return sort === 'path' || key === undefined ? { path } : { path, key };
}
