import type * as z from 'zod';
import { aliasesOf } from './aliases.ts';

type Given = Readonly<Record<string, unknown>>;

/** Returns the arguments of a call by the names of the schema; as they are where two of them mean the same. */
export function byOwnNames({ shape }: z.ZodObject, args: Given): Record<string, unknown> {
  const aliases = aliasesOf(Object.keys(shape));
  const given = Object.entries(args);
  const names = given.map(([name]) => aliases.get(name) ?? name);
  if (new Set(names).size < names.length) return { ...args };
  return Object.fromEntries(
    given.map(([name, value], at) => {
      const own = names[at]!;
      return [own, own === name ? value : fitted(shape[own], value)];
    }),
  );
}

/** Returns a list of a value for an argument that is a list, and the only value of a list for one that is none. */
function fitted(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  const fits = (one: unknown): boolean => {
    const result = schema?.['~standard'].validate(one);
    return result !== undefined && !(result instanceof Promise) && result.issues === undefined;
  };
  if (fits(value)) return value;
  if (!Array.isArray(value)) return fits([value]) ? [value] : value;
  const [only, ...others]: unknown[] = value;
  return others.length === 0 && fits(only) ? only : value;
}
