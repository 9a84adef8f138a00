import type { CompiledSchema } from '../protocol/json-schema/schema.ts';
import type * as t from '../protocol/types.ts';

const compiled = new WeakMap<t.JSONSchema, CompiledSchema>();

/**
 * What is wrong with a value by a JSON Schema of the other side, or undefined when it fits. Throws SchemaError for a
 * schema that cannot be used, such as one in an unknown dialect or one that refers to another document.
 */
export async function misfit(schema: t.JSONSchema, value: unknown): Promise<string | undefined> {
  let ready = compiled.get(schema);
  if (ready === undefined) {
    const { compileSchema } = await import('../protocol/json-schema/schema.ts');
    ready = compileSchema(schema);
    compiled.set(schema, ready);
  }
  return ready.misfit(value);
}
