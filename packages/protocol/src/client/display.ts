import type * as t from '../protocol/types.ts';

/**
 * Hints about a tool, with the defaults of absent hints.
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
 * Returns the hints of a tool with defaults. A read-only tool is neither destructive nor non-idempotent.
 * Never decide by them whether to call a tool of an untrusted server.
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
 * Returns the name to display for a tool, prompt, resource, argument or implementation: its title or its
 * name.
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
