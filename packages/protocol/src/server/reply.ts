import type * as t from '../protocol/types.ts';
import { Utf8Text } from '../protocol/utf8.ts';

export interface ReplyParts {
  /** the structured half; must fit the tool's `output` */
  structured?: unknown;
  /** the content half; a string stands for one text block */
  content?: string | Utf8Text | readonly t.ContentBlock[];
  isError?: boolean;
  _meta?: t.MetaObject;
}

/** A complete tool result, for tools that say more than their output. */
export class Reply {
  readonly parts: ReplyParts;

  constructor(parts: ReplyParts) {
    this.parts = parts;
  }
}

/** A complete tool result: `run` may return it in place of its output. */
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
