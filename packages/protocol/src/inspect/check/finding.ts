/** A requirement that the server breaks, in one line that says how. */
export class Broken extends Error {}

/** A requirement of which nothing could be seen, in one line that says why. */
export class Unseen extends Error {}

/** Throws Broken unless the server has done what it must. */
export function holds(fact: unknown, problem: string): asserts fact {
  if (!fact) throw new Broken(problem);
}

/** Throws Unseen unless there is something to look at. */
export function given(fact: unknown, reason: string): asserts fact {
  if (!fact) throw new Unseen(reason);
}
