import type * as t from '../protocol/types.ts';
import { Utf8Text } from '../protocol/utf8.ts';

/**
 * The parts of a complete tool result.
 * @example
 * const parts: ReplyParts = { structured: { sum: 3 }, content: 'the sum is 3', _meta: { 'example.com/took': 4 } };
 */
export interface ReplyParts {
  /** the structured half; must fit the tool's `output` */
  structured?: unknown;
  /** the content half; a string stands for one text block */
  content?: string | Utf8Text | readonly t.ContentBlock[];
  isError?: boolean;
  _meta?: t.MetaObject;
}

/**
 * A complete tool result, for tools that say more than their output.
 * @example const answer: Reply = reply({ content: 'done' });
 */
export class Reply {
  readonly parts: ReplyParts;

  constructor(parts: ReplyParts) {
    this.parts = parts;
  }
}

/**
 * A complete tool result: `run` may return it in place of its output.
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

/** Content blocks of what an author gave. */
export function toContent(content: string | Utf8Text | readonly t.ContentBlock[]): t.ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  // holds: Utf8Text becomes a JSON string when the result is written
  if (content instanceof Utf8Text) return [{ type: 'text', text: content as unknown as string }];
  return content as t.ContentBlock[]; // holds: results are not changed after this
}
