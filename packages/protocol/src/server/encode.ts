import type { JsonText } from '../jsonrpc/message.ts';
import { metaKeys } from '../protocol/meta.ts';
import { isCacheable } from '../protocol/methods.ts';
import { revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { stringify } from '../protocol/utf8.ts';
import type { CacheHints, Call, Registry } from './registry.ts';

export const notCached: CacheHints = { ttlMs: 0, cacheScope: 'private' };

/** The JSON text of a result, stamped with what its era demands. */
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

/** The JSON text of a result with one member whose text is at hand. */
export function encodeList<S>(
  server: Registry<S>,
  call: Call,
  member: string,
  items: readonly string[],
  nextCursor: string | undefined,
  hints: CacheHints,
): string {
  const list = `{"${member}":[${items.join(',')}]`;
  const cursor = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  if (revisions[call.facts.revision].era === 'handshake') return `${list}${cursor}}`;
  const stamps = JSON.stringify({
    resultType: 'complete',
    ...hints,
    _meta: { [metaKeys.serverInfo]: server.info },
  });
  return `${list}${cursor},${stamps.slice(1)}`;
}
