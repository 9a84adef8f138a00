import { SchemaError } from './failure.ts';

/** Steps that one check may take: a step is one schema at one place, or one element that is compared. */
const MAX_STEPS = 5_000_000;
/** States that the patterns of one check may visit. */
const MAX_PATTERN_STEPS = 10_000_000;
const MAX_DEPTH = 400;

/** What is left of the work that one check may cost, so that no schema and no value holds the process. */
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
