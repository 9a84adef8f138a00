import { classify, type JsonText } from '../jsonrpc/message.ts';
import type { Reply } from '../jsonrpc/peer.ts';

/**
 * Returns replies for the members of a batch. Their responses are sent together, once each has responded or
 * was dropped.
 */
export function collectReplies(values: readonly unknown[], whole: Reply): Reply {
  const replies: JsonText[] = [];
  let open = values.filter((value) => expectsReply(value)).length;
  const dropped = (): void => {
    open -= 1;
    if (open > 0) return;
    if (replies.length > 0) whole.respond(join(replies));
    else whole.dropped?.();
  };
  const respond = (text: JsonText): void => {
    replies.push(text);
    dropped();
  };
  const { related } = whole;
  return { respond, dropped, ...(related !== undefined && { related }) };
}

/** Returns true for requests and malformed messages. */
function expectsReply(value: unknown): boolean {
  const { kind } = classify(value);
  return kind === 'request' || kind === 'malformed';
}

function join(replies: readonly JsonText[]): JsonText {
  const pieces: (string | Uint8Array)[] = [];
  for (const [index, reply] of replies.entries()) {
    pieces.push(index === 0 ? '[' : ',');
    if (typeof reply === 'string') pieces.push(reply);
    else pieces.push(...reply);
  }
  pieces.push(']');
  return pieces;
}
