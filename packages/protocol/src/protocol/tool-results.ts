import type * as t from './types.ts';

/**
 * What is wrong with the tool results in a conversation, or undefined: every tool use is answered by the next
 * message, which then holds nothing but results, each of a use before it.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#message-content-constraints
 */
export function toolResultProblem(messages: readonly t.SamplingMessage[]): string | undefined {
  let open = new Set<string>();
  for (const { role, content } of messages) {
    const blocks = Array.isArray(content) ? content : [content];
    const results = blocks.filter((block) => block.type === 'tool_result');
    if (results.length > 0 && (results.length < blocks.length || role !== 'user')) {
      return 'a message with tool results must be of the user and hold nothing else';
    }
    for (const { toolUseId } of results) {
      if (!open.delete(toolUseId)) return `a tool result must answer a tool use of the message before it`;
    }
    if (open.size > 0) return 'a tool use has no result in the next message';
    open = new Set(blocks.filter((block) => block.type === 'tool_use').map(({ id }) => id));
  }
  return open.size > 0 ? 'a tool use has no result in the next message' : undefined;
}
