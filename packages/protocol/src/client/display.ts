import type * as t from '../protocol/types.ts';

/**
 * Hints about a tool with the values that absent ones stand for.
 * @example
 * const [add] = await client.listTools();
 * const hints: ToolHints = toolHints(add!);
 */
export interface ToolHints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  openWorld: boolean;
}

/**
 * What a tool says of itself, as it is to be understood: absent hints have their defaults, and a tool that only reads
 * neither destroys nor does twice what it did once. Never decide by them whether to call a tool of an untrusted server.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
 * @example toolHints({ annotations: { readOnlyHint: true } }).destructive; // => false
 */
export function toolHints({ annotations = {} }: Pick<t.Tool, 'annotations'>): ToolHints {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const readOnly = readOnlyHint === true;
  return {
    readOnly,
    destructive: !readOnly && destructiveHint !== false,
    idempotent: readOnly || idempotentHint === true,
    openWorld: openWorldHint !== false,
  };
}

/**
 * What to show for a tool, prompt, resource, argument or implementation: its title, else its name.
 * @example displayName({ name: 'add', title: 'Add' }); // => 'Add'
 */
export function displayName(thing: {
  name: string;
  title?: string;
  annotations?: { title?: string } | t.Annotations;
}): string {
  const { name, title, annotations } = thing;
  if (title !== undefined) return title;
  return annotations !== undefined && 'title' in annotations ? (annotations.title ?? name) : name;
}
