import type { NameTest } from './segment.ts';

/** The segments of a path pattern; `undefined` matches any number of directories. */
export type Steps = readonly (NameTest | undefined)[];

/** Returns the indices of the steps that may match inside the directory `prefix`: a state machine without backtracking. */
export function statesBelow(steps: Steps, prefix: string): number[] {
  let states = closure([0], steps);
  for (let at = 0; at < prefix.length && states.length > 0; ) {
    const end = prefix.indexOf('/', at);
    states = advance(states, prefix.slice(at, end), steps);
    at = end + 1;
  }
  return states;
}

function advance(states: readonly number[], name: string, steps: Steps): number[] {
  const next = states.flatMap((state) => {
    const step = steps[state];
    if (step === undefined) return [state];
    return state + 1 < steps.length && step(name) ? [state + 1] : [];
  });
  return closure(next, steps);
}

function closure(states: readonly number[], steps: Steps): number[] {
  const all = new Set(states);
  for (const state of all) if (steps[state] === undefined) all.add(state + 1);
  return [...all];
}
