import type { CompiledSchema } from '../protocol/json-schema/schema.ts';
import type * as t from '../protocol/types.ts';

const compiled = new WeakMap<t.JSONSchema, CompiledSchema>();

/**
 * Returns the reason why a value does not match a JSON Schema of the other side, or undefined. Throws
 * SchemaError for an unusable schema, such as one in an unknown dialect or with a reference to another
 * document.
 */
export async function mismatch(schema: t.JSONSchema, value: unknown): Promise<string | undefined> {
  let ready = compiled.get(schema);
  if (ready === undefined) {
    const { compileSchema } = await import('../protocol/json-schema/schema.ts');
    ready = compileSchema(schema);
    compiled.set(schema, ready);
  }
  return ready.mismatch(value);
}
