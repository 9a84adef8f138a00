import type * as z from 'zod';
import type * as t from '../protocol/types.ts';
import type { Tool } from './define.ts';
import { argumentSchema, jsonSchema, kindOf, shapeOf } from './schema.ts';

/**
 * Options of a catalog.
 * @example const few: CatalogOptions = { outputs: 'shape' };
 */
export interface CatalogOptions {
  /**
   * `shape` lists only names and types of output schemas, for lists that must be small: descriptions,
   * required members and allowed values are left out. `object` lists only that there is an output schema, for
   * lists that must be smaller. Default `full`. Members with `.meta({ unlisted: true })` are always left out.
   */
  outputs?: 'full' | 'shape' | 'object';
}

const describers = {
  full: (schema: z.ZodType) => jsonSchema(schema, 'output'),
  shape: shapeOf,
  object: kindOf,
} as const;

/** Returns the definitions of the listed tools, in the newest form. */
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
