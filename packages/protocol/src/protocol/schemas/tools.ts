import * as z from 'zod';
import type * as t from '../types.ts';
import { naming, paging, resulting } from './base.ts';
import { contentBlock } from './content.ts';
import { type Facts, mapOf, object, openObject, optional, perRevision, type Shape } from './shape.ts';

const toolAnnotations = perRevision<t.ToolAnnotations>(() =>
  object<t.ToolAnnotations>({
    title: optional(z.string()),
    readOnlyHint: optional(z.boolean()),
    destructiveHint: optional(z.boolean()),
    idempotentHint: optional(z.boolean()),
    openWorldHint: optional(z.boolean()),
  }),
);

/** Returns the keywords of a tool's schema that a revision restricts; the stateless era restricts none. */
function keywords(has: Facts) {
  // true and false are schemas too, and some servers send them; the official schemas until 2025-11-25 omit
  // them
  const property = z.union([z.boolean(), openObject()]);
  return {
    $schema: optional(z.string(), has.icons),
    properties: optional(mapOf(property), !has.stateless),
    required: optional(z.array(z.string()), !has.stateless),
  };
}

const inputSchema = perRevision<t.Tool['inputSchema']>((has) => {
  const members: Shape<{ type: 'object' }> = { type: z.literal('object'), ...keywords(has) };
  return object<t.Tool['inputSchema']>(members);
});

const outputSchema = perRevision<t.JSONSchema>((has) =>
  has.stateless ? object<t.JSONSchema>({ $schema: optional(z.string()) }) : inputSchema(has),
);

export const tool = perRevision<t.Tool>((has) =>
  object<t.Tool>({
    ...naming(has),
    description: optional(z.string()),
    inputSchema: inputSchema(has),
    outputSchema: optional(outputSchema(has), has.structured),
    annotations: optional(toolAnnotations(has), has.annotations),
    execution: optional(
      object<t.ToolExecution>({ taskSupport: optional(z.enum(['forbidden', 'optional', 'required'])) }),
      has.tasks,
    ),
  }),
);

export const listToolsResult = perRevision<t.ListToolsResult>((has) =>
  object<t.ListToolsResult>({ ...paging(has), tools: z.array(tool(has)) }),
);

/** Returns the members of a tool result, also inside a sampling message. */
export function answering(
  has: Facts,
): Shape<{ content: t.ContentBlock[]; structuredContent?: unknown; isError?: boolean }> {
  return {
    content: z.array(contentBlock(has)),
    structuredContent: has.stateless ? z.unknown().optional() : optional(openObject(), has.structured),
    isError: optional(z.boolean()),
  };
}

export const callToolResult = perRevision<t.CallToolResult>((has) =>
  object<t.CallToolResult>({ ...resulting(has), ...answering(has) }),
);
