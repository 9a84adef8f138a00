import {
  binds,
  chainOf,
  type LedgerRevision,
  type Level,
  ledger,
  levels,
  type Requirement,
  requirement,
  revisionOf,
  type Side,
} from './ledger.ts';
import type { Proof } from './prove.ts';

/** A requirement that is not followed, with the reason. */
export interface Declined {
  /** any id of a `same_as` chain, which is declined completely */
  id: string;
  /** whether only this id is declined, and other revisions of the chain are proved */
  alone?: true;
  reason: string;
}

export interface Count {
  total: number;
  proved: number;
  declined: number;
  missing: string[];
}

export type Tally = Record<LedgerRevision, Record<Level, Count>>;

/** The counts of proofs and declined requirements; `problems` are entries that contradict the ledger or each other. */
export function tally(
  proofs: readonly Proof[],
  declined: readonly Declined[],
): { counts: Tally; problems: string[] } {
  const proved = provedIds(proofs);
  const { ids: refused, problems } = declinedIds(declined);
  for (const id of refused) if (proved.has(id)) problems.push(`${id} is declined, and proved as well`);
  const counts = {} as Tally; // filled below, revision by revision
  for (const row of ledger.values()) {
    if (row.level === 'MAY' || !(binds(row, 'server') || binds(row, 'client'))) continue;
    const revision = revisionOf(row.id);
    counts[revision] ??= emptyRow();
    const count = counts[revision][row.level];
    count.total += 1;
    if (proved.has(row.id)) count.proved += 1;
    else if (refused.has(row.id)) count.declined += 1;
    else count.missing.push(row.id);
  }
  return { counts, problems };
}

function emptyRow(): Record<Level, Count> {
  const row = levels.map((level): [Level, Count] => [
    level,
    { total: 0, proved: 0, declined: 0, missing: [] },
  ]);
  return Object.fromEntries(row) as Record<Level, Count>; // one entry for each level
}

/** Returns the ids that all of their sides have proved. */
function provedIds(proofs: readonly Proof[]): Set<string> {
  const sides = new Map<string, Set<Side>>();
  for (const { id, side } of proofs) {
    const known = sides.get(id) ?? new Set();
    sides.set(id, known.add(side));
  }
  return new Set([...ledger.values()].filter((row) => isProved(row, sides.get(row.id))).map(({ id }) => id));
}

function isProved(row: Requirement, sides: ReadonlySet<Side> | undefined): boolean {
  if (sides === undefined) return false;
  return row.role === 'both' ? sides.size === 2 : true;
}

function declinedIds(declined: readonly Declined[]): { ids: Set<string>; problems: string[] } {
  const ids = new Set<string>();
  const problems: string[] = [];
  for (const { id, alone, reason } of declined) {
    if (!ledger.has(id)) {
      problems.push(`${id} is declined, but the ledger has no such id`);
      continue;
    }
    if (reason.trim() === '') problems.push(`${id} is declined without a reason`);
    for (const member of alone === true ? [id] : chainOf(id)) {
      const { level } = requirement(member);
      if (level.startsWith('MUST') && !reason.includes('contradictions.md')) {
        problems.push(`${member} is a ${level}: a reason must name the entry in docs/contradictions.md`);
      }
      ids.add(member);
    }
  }
  return { ids, problems };
}

/** Renders the counts as a table, followed by the missing ids. */
export function printTally(counts: Tally): string {
  const lines = ['revision    level       total  proved  declined  missing'];
  const missing: string[] = [];
  for (const [revision, row] of Object.entries(counts)) {
    for (const [level, count] of Object.entries(row)) {
      const cells = [count.total, count.proved, count.declined, count.missing.length];
      const [total, met, refused, open] = cells.map(String) as [string, string, string, string]; // four of four
      lines.push(
        `${revision}  ${level.padEnd(10)}  ${total.padStart(5)}  ${met.padStart(6)}  ${refused.padStart(8)}  ${open.padStart(7)}`,
      );
      missing.push(...count.missing.map((id) => `missing  ${level.padEnd(10)}  ${id}`));
    }
  }
  return [...lines, ...(missing.length === 0 ? [] : ['', ...missing]), ''].join('\n');
}
