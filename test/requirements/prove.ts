import { expect, TestRunner } from 'vitest';
import { binds, idIn, type LedgerRevision, requirement, type Side } from './ledger.ts';

/** An id that a test has proved for one side. */
export interface Proof {
  id: string;
  side: Side;
}

declare module 'vitest' {
  interface TaskMeta {
    /** ids that the assertions of this test have proved; they count if the test passes */
    proofs?: Proof[];
  }
}

/**
 * Runs the assertion of one requirement and records its id with the running test if it passes. Several ids are those of
 * one `same_as` chain, for a test over all of their revisions. Throws for an unknown id, for one that does not bind this
 * side, and for an assertion without expect.
 */
export function proves(
  side: Side,
  ids: string | readonly string[],
  assertion: () => Promise<void>,
): Promise<void>;
export function proves(side: Side, ids: string | readonly string[], assertion: () => void): void;
export function proves(
  side: Side,
  ids: string | readonly string[],
  assertion: () => void | Promise<void>,
): void | Promise<void> {
  const named = typeof ids === 'string' ? [ids] : ids;
  for (const id of named) assertBinds(id, side);
  const before = expect.getState().assertionCalls;
  const held = (): void => {
    if (expect.getState().assertionCalls === before)
      throw new TypeError(`the proof of ${named[0]} expects nothing`);
    record(side, named);
  };
  const outcome = assertion();
  return outcome instanceof Promise ? outcome.then(held) : held();
}

/** `proves` for a test over revisions: an id of any revision is mapped to that of the running one. */
export type Proves = {
  (id: string, assertion: () => Promise<void>): Promise<void>;
  (id: string, assertion: () => void): void;
};

/**
 * Returns the `proves` of one side and one revision. If the revision lacks the requirement, or it binds the other side
 * there, the assertion runs and proves nothing.
 */
export function provesAt(side: Side, revision: LedgerRevision): Proves {
  return ((id: string, assertion: () => void) => {
    assertBinds(id, side);
    const own = idIn(revision, id);
    const counted = own !== undefined && binds(requirement(own), side) ? [own] : [];
    return proves(side, counted, assertion);
    // the two overloads of `proves` are those of the type
  }) as Proves;
}

function assertBinds(id: string, side: Side): void {
  const { role } = requirement(id);
  if (role !== 'both' && role !== side)
    throw new TypeError(`${id} is a requirement of the ${role}, not the ${side}`);
}

function record(side: Side, ids: readonly string[]): void {
  const running = TestRunner.getCurrentTest();
  if (running === undefined) throw new TypeError('proves must be called while a test runs');
  running.meta.proofs ??= [];
  for (const id of ids) running.meta.proofs.push({ id, side });
}
