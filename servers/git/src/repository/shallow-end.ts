import type { Oid } from '../run/oid.ts';
import { parseCommit } from './commit.ts';
import type { Objects } from './objects.ts';
import { MAX_COMMIT_BYTES } from './walk.ts';

/** Steps of an expression that are followed at most. */
const MOST_STEPS = 32;
/** Steps back to parents; the text after the last one is followed no further. */
const step = /([~^])(\d{0,9})(?=[~^]|$)/y;

interface Step {
  /** the number of the parent */
  readonly parent: number;
  readonly times: number;
}

/**
 * Returns the commit where a shallow clone ends before it reaches a revision, such as HEAD~5; undefined where it does
 * not end there.
 */
export async function shallowEnd(
  objects: Objects,
  revision: string,
  signal?: AbortSignal,
): Promise<Oid | undefined> {
  const ends = objects.ends();
  const [base = ''] = revision.split(/[~^:]/, 1);
  // git dies of some expressions in braces
  if (ends === undefined || ends.size === 0 || base === '' || base.includes('@{')) return undefined;
  let at = await commitAt(objects, base, signal);
  for (const { parent, times } of stepsOf(revision.slice(base.length))) {
    if (at === undefined) return undefined;
    const next = times === 0 ? at : await commitAt(objects, `${at}${back(parent, times)}`, signal);
    if (next === undefined) return endIn(objects, ends, at, { parent, times }, signal);
    at = next;
  }
  return undefined;
}

/** Returns the end among a commit and its first parents from which a step leads out of the history. */
async function endIn(
  objects: Objects,
  ends: ReadonlySet<Oid>,
  from: Oid,
  { parent, times }: Step,
  signal?: AbortSignal,
): Promise<Oid | undefined> {
  let [last, reached, missing] = [from, 0, times];
  while (missing - reached > 1) {
    const middle = Math.floor((reached + missing) / 2);
    const found = await commitAt(objects, `${from}~${middle}`, signal);
    if (found === undefined) missing = middle;
    else [last, reached] = [found, middle];
  }
  if (!ends.has(last)) return undefined;
  const bytes = (await objects.read(last, MAX_COMMIT_BYTES, signal))?.bytes;
  // the first commit of all has no parents in its own text either
  return bytes !== undefined && parseCommit(bytes).parents.length >= parent ? last : undefined;
}

function back(parent: number, times: number): string {
  return parent === 1 ? `~${times}` : `^${parent}`;
}

function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  step.lastIndex = 0;
  while (steps.length < MOST_STEPS) {
    const found = step.exec(text);
    if (found === null) break;
    const number = found[2] === '' ? 1 : Number(found[2]);
    if (found[1] === '~') steps.push({ parent: 1, times: number });
    else steps.push(number === 0 ? { parent: 1, times: 0 } : { parent: number, times: 1 });
  }
  return steps;
}

async function commitAt(objects: Objects, name: string, signal?: AbortSignal): Promise<Oid | undefined> {
  const answer = await objects.look(`${name}^{commit}`, signal);
  return answer.kind === 'found' ? answer.info.oid : undefined;
}
