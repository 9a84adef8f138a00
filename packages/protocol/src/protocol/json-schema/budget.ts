import { SchemaError } from './failure.ts';

/** The maximum number of steps of one check. A step is one schema applied to one value, or one element comparison. */
const MAX_STEPS = 5_000_000;
/** The maximum number of pattern states that one check may visit. */
const MAX_PATTERN_STEPS = 10_000_000;
const MAX_DEPTH = 400;

/** The work that one check may still do. It bounds the time of a check for any schema and any value. */
export class Budget {
  #steps = MAX_STEPS;
  #patternSteps = MAX_PATTERN_STEPS;
  #depth = 0;

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new SchemaError('the check takes too many steps');
  }

  spendOnPatterns(steps: number): void {
    this.#patternSteps -= steps;
    if (this.#patternSteps < 0) throw new SchemaError('the patterns take too many steps');
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new SchemaError(`the check goes deeper than ${MAX_DEPTH} schemas`);
  }

  leave(): void {
    this.#depth -= 1;
  }
}
