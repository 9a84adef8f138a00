import { readFileSync } from 'node:fs';
import { revisionNames } from '../schema/official.ts';

/** The levels that the report counts; MAY is not required. */
export const levels = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'IMPLIED'] as const;
export type Level = (typeof levels)[number];
/** The side that proves a requirement. */
export type Side = 'server' | 'client';
export type LedgerRevision = (typeof revisionNames)[number];

/** One row of the ledger. */
export interface Requirement {
  id: string;
  level: Level | 'MAY';
  role: Side | 'both' | 'host' | 'authorization-server' | 'intermediary';
  area: string;
  text: string;
  source: string;
  same_as: string | null;
}

/** Every requirement by id, in the order of the files. */
export const ledger: ReadonlyMap<string, Requirement> = new Map(
  revisionNames.flatMap(readRevision).map((row) => [row.id, row]),
);

function readRevision(revision: LedgerRevision): Requirement[] {
  const text = readFileSync(new URL(`./ledger/${revision}.jsonl`, import.meta.url), 'utf8');
  // the fields are those of the folder's README, which a test checks
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Requirement);
}

/** Ids by the id of the previous revision; if two ids continue one, each begins its own chain. */
const successor = new Map<string, string>();
const predecessor = new Map<string, string>();
for (const { id, same_as: before } of ledger.values()) {
  if (before === null) continue;
  if (successor.has(before)) {
    predecessor.delete(successor.get(before)!);
    successor.set(before, '');
  } else {
    successor.set(before, id);
    predecessor.set(id, before);
  }
}

/** Returns the row of an id. Throws for an unknown id. */
export function requirement(id: string): Requirement {
  const row = ledger.get(id);
  if (row === undefined) throw new TypeError(`the ledger has no id ${id}`);
  return row;
}

/** Returns an id and those of the same requirement in other revisions, oldest first. */
export function chainOf(id: string): string[] {
  let first = requirement(id).id;
  for (let before = predecessor.get(first); before !== undefined; before = predecessor.get(first))
    first = before;
  const chain = [first];
  for (let next = successor.get(first); next !== undefined && next !== ''; next = successor.get(next))
    chain.push(next);
  return chain;
}

/** Returns the id of a requirement in a revision, by its id in any revision; undefined if the revision has none. */
export function idIn(revision: LedgerRevision, id: string): string | undefined {
  return chainOf(id).find((member) => member.startsWith(`${revision}/`));
}

export function revisionOf(id: string): LedgerRevision {
  return id.slice(0, id.indexOf('/')) as LedgerRevision; // ids begin with their revision, which a test checks
}

/** Returns whether a requirement binds a side. */
export function binds({ role }: Requirement, side: Side): boolean {
  return role === 'both' || role === side;
}
