import type * as t from './types.ts';

/**
 * Returns the reason why the tool results of a conversation are invalid, or undefined. The message after a
 * tool use must contain its result, and nothing but results of tool uses of the message before.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#message-content-constraints
 */
export function toolResultProblem(messages: readonly t.SamplingMessage[]): string | undefined {
  let open = new Set<string>();
  for (const { role, content } of messages) {
    const blocks = Array.isArray(content) ? content : [content];
    const results = blocks.filter((block) => block.type === 'tool_result');
    if (results.length > 0 && (results.length < blocks.length || role !== 'user')) {
      return 'a message with tool results must have the role user and no other content';
    }
    for (const { toolUseId } of results) {
      if (!open.delete(toolUseId)) return `a tool result must answer a tool use of the message before it`;
    }
    if (open.size > 0) return 'a tool use has no result in the next message';
    open = new Set(blocks.filter((block) => block.type === 'tool_use').map(({ id }) => id));
  }
  return open.size > 0 ? 'a tool use has no result in the next message' : undefined;
}
