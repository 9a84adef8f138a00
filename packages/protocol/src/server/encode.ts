import type { JsonText } from '../jsonrpc/message.ts';
import { stringify } from '../protocol/json-text.ts';
import { metaKeys } from '../protocol/meta.ts';
import { isCacheable } from '../protocol/methods.ts';
import { revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import type { CacheHints, Call, Registry } from './registry.ts';

export const notCached: CacheHints = { ttlMs: 0, cacheScope: 'private' };

/** Returns the JSON text of a result with the members that its era requires. */
export function encodeResult<S>(
  server: Registry<S>,
  call: Call,
  result: object,
  hints: CacheHints = notCached,
): JsonText {
  const { facts, method } = call;
  if (revisions[facts.revision].era === 'handshake') return stringify(result);
  const { _meta, resultType = 'complete', ...members } = result as t.Result; // every result is one
  const cached = resultType === 'complete' && isCacheable(facts.revision, method);
  return stringify({
    resultType,
    ...members,
    ...(cached && hints),
    _meta: { ..._meta, [metaKeys.serverInfo]: server.info },
  });
}

/**
 * Returns the JSON text of a complete tool result from the JSON text of its structured content, which its
 * text block repeats.
 */
export function encodeStructured<S>(server: Registry<S>, call: Call, structured: string): string {
  const members = `"content":[{"type":"text","text":${JSON.stringify(structured)}}],"structuredContent":${structured}`;
  if (revisions[call.facts.revision].era === 'handshake') return `{${members}}`;
  return `{"resultType":"complete",${members},${stampOf(server.info)}}`;
}

/** Returns the JSON text of a result from the JSON texts of its items. */
export function encodeList<S>(
  server: Registry<S>,
  call: Call,
  member: string,
  items: readonly string[],
  nextCursor: string | undefined,
  { ttlMs, cacheScope }: CacheHints,
): string {
  const list = `{"${member}":[${items.join(',')}]`;
  const cursor = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  if (revisions[call.facts.revision].era === 'handshake') return `${list}${cursor}}`;
  const hints = `"ttlMs":${ttlMs},"cacheScope":"${cacheScope}"`;
  return `${list}${cursor},"resultType":"complete",${hints},${stampOf(server.info)}}`;
}

const stamps = new WeakMap<t.Implementation, string>();

/** Returns the `_meta` member of a stateless result that has no other `_meta`; written once per server. */
function stampOf(info: t.Implementation): string {
  let stamp = stamps.get(info);
  if (stamp === undefined) {
    stamp = `"_meta":${JSON.stringify({ [metaKeys.serverInfo]: info })}`;
    stamps.set(info, stamp);
  }
  return stamp;
}
