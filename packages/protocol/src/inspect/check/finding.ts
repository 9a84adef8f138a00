/** A violated requirement; the message describes the violation. */
export class Broken extends Error {}

/** A requirement that could not be observed; the message has the reason. */
export class Unseen extends Error {}

/** Throws Broken unless the server meets the requirement. */
export function holds(fact: unknown, problem: string): asserts fact {
  if (!fact) throw new Broken(problem);
}

/** Throws Unseen unless the requirement can be observed. */
export function given(fact: unknown, reason: string): asserts fact {
  if (!fact) throw new Unseen(reason);
}
