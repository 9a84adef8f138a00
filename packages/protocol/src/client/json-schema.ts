import type { ZodType } from 'zod';
import type * as t from '../protocol/types.ts';
import { describeProblem } from './problem.ts';

const compiled = new WeakMap<t.JSONSchema, ZodType | undefined>();

/**
 * What is wrong with a value by a JSON Schema of the other side, or undefined when it fits. A schema that says
 * more than can be checked here passes everything.
 */
export async function misfit(schema: t.JSONSchema, value: unknown): Promise<string | undefined> {
  const z = await import('zod');
  if (!compiled.has(schema)) compiled.set(schema, compile(z, schema));
  const parsed = compiled.get(schema)?.safeParse(value);
  return parsed === undefined || parsed.success ? undefined : describeProblem(parsed.error);
}

function compile(z: typeof import('zod'), schema: t.JSONSchema): ZodType | undefined {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    // keywords that zod cannot express; the value is the server's own, and is passed on unchecked
    return undefined;
  }
}
