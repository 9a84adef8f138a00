import { type Advice, adviseIndexes } from '../explaining/advise.ts';
import { explainBindings } from '../explaining/plan.ts';
import type { Verb } from '../verb.ts';
import type { ExplainArgs } from './explain.ts';

/** Returns indexes that make a statement cheaper, tried on an in-memory copy; null if none does. */
export const advise: Verb<ExplainArgs, Advice | null> = ({ connection }, { sql, params }) =>
  adviseIndexes(connection, sql, explainBindings(sql, params)) ?? null;
