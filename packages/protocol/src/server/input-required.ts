import type * as t from '../protocol/types.ts';
import type { PagesRequired } from './page-visit.ts';

/** Questions of one call that still wait for an answer, by key. */
export type PendingInput = Record<string, t.InputRequest>;

/** Thrown through an author's `ask` when answers are still missing; it becomes an `input_required` result. */
export class InputRequired extends Error {
  readonly pending: PendingInput;

  constructor(pending: PendingInput) {
    super('input required');
    this.name = 'InputRequired';
    this.pending = pending;
  }
}

/** Whether a call cannot go on before pages were visited; by name, so that nobody who never needs them loads pages. */
export function wantsPages(error: unknown): error is PagesRequired {
  return error instanceof Error && error.name === 'PagesRequired';
}
