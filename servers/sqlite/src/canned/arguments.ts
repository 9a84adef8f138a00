import * as z from 'zod';
import { cursorArgument, databaseArgument, timeoutArgument } from '../arguments.ts';

import { isDay } from '../calendar.ts';
import type { CannedParameter, CannedQuery } from './definition.ts';

/** Returns the input schema of a query's tool. */
export function argumentsOf({ parameters, database, write }: CannedQuery): z.ZodObject {
  const own = Object.entries(parameters).map(([name, parameter]) => [name, argumentOf(parameter)] as const);
  return z.strictObject({
    ...Object.fromEntries(own),
    ...(database === undefined && { database: databaseArgument }),
    ...(!write && { cursor: cursorArgument }),
    timeout_ms: timeoutArgument,
  });
}

function argumentOf(parameter: CannedParameter): z.ZodType {
  const { type, default: usual } = parameter;
  const description = parameter.description ?? (type === 'date' ? 'a day such as 2026-01-31' : undefined);
  const value = usual === null ? schemaOf(parameter).nullable() : schemaOf(parameter);
  const whole = usual === undefined ? value : value.default(usual);
  return description === undefined ? whole : whole.describe(description);
}

function schemaOf({ type, enum: choices, minimum, maximum }: CannedParameter): z.ZodType {
  if (choices !== undefined) {
    // the file was checked: a list of choices is not empty
    return z.literal(choices as [string, ...string[]]);
  }
  if (type === 'boolean') return z.boolean();
  if (type === 'string') return z.string();
  if (type === 'date') return z.string().refine(isDay, 'must be a day such as 2026-01-31');
  const number = type === 'integer' ? z.int() : z.number();
  const above = minimum === undefined ? number : number.min(minimum);
  return maximum === undefined ? above : above.max(maximum);
}
