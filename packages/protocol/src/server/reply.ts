import type * as t from '../protocol/types.ts';
import { Utf8Text } from '../protocol/utf8.ts';

/**
 * The parts of a complete tool result.
 * @example
 * const parts: ReplyParts = { structured: { sum: 3 }, content: 'the sum is 3', _meta: { 'example.com/took': 4 } };
 */
export interface ReplyParts {
  /** the structured content; must match the tool's `output` */
  structured?: unknown;
  /** the content; a string is one text block */
  content?: string | Utf8Text | readonly t.ContentBlock[];
  isError?: boolean;
  _meta?: t.MetaObject;
}

/**
 * A complete tool result, for tools that return more than their output.
 * @example const answer: Reply = reply({ content: 'done' });
 */
export class Reply {
  readonly parts: ReplyParts;

  constructor(parts: ReplyParts) {
    this.parts = parts;
  }
}

/**
 * Returns a complete tool result, which `run` may return in place of its output.
 * @example
 * const draw = tool({
 *   name: 'draw',
 *   description: 'Draws a dot.',
 *   input: z.object({}),
 *   run: () => reply({ content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] }),
 * });
 */
export function reply(parts: ReplyParts): Reply {
  return new Reply(parts);
}

/** Returns content as content blocks. */
export function toContent(content: string | Utf8Text | readonly t.ContentBlock[]): t.ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  // Utf8Text becomes a JSON string when the result is written
  if (content instanceof Utf8Text) return [{ type: 'text', text: content as unknown as string }];
  return content as t.ContentBlock[]; // nobody changes a result after this
}
