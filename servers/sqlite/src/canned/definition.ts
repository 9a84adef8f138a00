import * as z from 'zod';
import { messageOf } from '../shared/error.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const parameter = z.strictObject({
  type: z.enum(['string', 'integer', 'number', 'boolean', 'date']).default('string'),
  description: z.string().optional(),
  enum: z.array(scalar).min(1).optional(),
  default: scalar.nullable().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** A parameter of a canned query. */
export type CannedParameter = z.output<typeof parameter>;

const query = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -'),
  title: z.string().min(1).optional(),
  description: z.string().min(1),
  database: z.string().min(1).optional(),
  sql: z
    .union([z.string(), z.array(z.string())])
    .transform((sql) => (typeof sql === 'string' ? sql : sql.join('\n'))),
  parameters: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be a name as SQL writes it'), parameter)
    .default({}),
  write: z.boolean().default(false),
});

/** A canned query as the operator's file defines it. */
export type CannedQuery = z.output<typeof query>;

const file = z.strictObject({ queries: z.array(query).max(200) });

/** Parses a file of queries; throws a TypeError whose one line names the place and the fix. */
export function parseQueries(text: string): readonly CannedQuery[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new TypeError(`it must be JSON: ${messageOf(error)}`, { cause: error });
  }
  const parsed = file.safeParse(json);
  if (parsed.success) return parsed.data.queries;
  const { path, message } = parsed.error.issues[0]!;
  throw new TypeError(`${placeOf(json, path)}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`);
}

/** Returns the place of a problem, beginning with the name of its query. */
function placeOf(json: unknown, path: readonly PropertyKey[]): string {
  const [list, index, ...rest] = path;
  if (list !== 'queries' || typeof index !== 'number') return path.map(String).join('.') || 'the file';
  const { name } = (json as { queries: { name?: unknown }[] }).queries[index] ?? {}; // zod validated up to this path
  const called = typeof name === 'string' && name !== '' ? name : `queries[${index}]`;
  return [called, ...rest.map(String)].join('.');
}
