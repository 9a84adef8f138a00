import { classify, type JsonText } from '../jsonrpc/message.ts';
import type { Reply } from '../jsonrpc/peer.ts';

/** What the members of a batch answer to: their responses leave together, once each has come or been given up. */
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

/** Requests and what is malformed get a reply. */
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
