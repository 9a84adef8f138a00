import type * as z from 'zod';
import type * as t from '../protocol/types.ts';
import type { Tool } from './define.ts';
import { argumentSchema, jsonSchema, kindOf, shapeOf } from './schema.ts';

/**
 * How a catalog describes its tools.
 * @example const few: CatalogOptions = { outputs: 'shape' };
 */
export interface CatalogOptions {
  /**
   * `shape` lists of output schemas only names and types, for lists that have to be small: what members mean, which
   * are always there and which values they take is left out. `object` lists only that there is one, where even that
   * has no room. Default `full`. Members with `.meta({ unlisted: true })` are in none of them.
   */
  outputs?: 'full' | 'shape' | 'object';
}

const describers = {
  full: (schema: z.ZodType) => jsonSchema(schema, 'output'),
  shape: shapeOf,
  object: kindOf,
} as const;

/** The definitions of the tools that are listed, in the newest form. */
export function defineTools(
  tools: readonly Tool<never>[],
  { outputs = 'full' }: CatalogOptions,
): readonly t.Tool[] {
  const describe = describers[outputs];
  return tools.filter(({ listed }) => listed !== false).map((tool) => defineTool(tool, describe));
}

function defineTool(tool: Tool<never>, describe: (output: z.ZodType) => t.JSONSchema): t.Tool {
  const { name, title, description, input, output, annotations, taskSupport, icons, _meta } = tool;
  return {
    name,
    description,
    inputSchema: argumentSchema(input),
    ...(title !== undefined && { title }),
    ...(output !== undefined && { outputSchema: describe(output) }),
    ...(annotations !== undefined && { annotations }),
    ...(taskSupport !== undefined && { execution: { taskSupport } }),
    ...(icons !== undefined && { icons }),
    ...(_meta !== undefined && { _meta }),
  };
}
