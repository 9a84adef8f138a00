import type * as t from '../protocol/types.ts';
import type { PagesRequired } from './page-visit.ts';

/** The open questions of one call, by key. */
export type PendingInput = Record<string, t.InputRequest>;

/** Thrown by `ask` if answers are missing; it becomes an `input_required` result. */
export class InputRequired extends Error {
  readonly pending: PendingInput;

  constructor(pending: PendingInput) {
    super('input required');
    this.name = 'InputRequired';
    this.pending = pending;
  }
}

/** Returns true for PagesRequired. Checks the name, so that page-visit.ts is loaded only if needed. */
export function isPagesRequired(error: unknown): error is PagesRequired {
  return error instanceof Error && error.name === 'PagesRequired';
}
