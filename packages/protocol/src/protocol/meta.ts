import { isObject } from '../jsonrpc/message.ts';
import type * as t from './types.ts';

/** Keys of `_meta` that the specification reserves. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
  immediateResponse: 'io.modelcontextprotocol/model-immediate-response',
} as const;

const ownKeys: ReadonlySet<string> = new Set(Object.values(metaKeys));

const label = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const keyForm = new RegExp(
  `^(?:(?<prefix>${label}(?:\\.${label})*)/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`,
);

/** The forms of tracing headers; other values are rejected. */
const traceForms: Readonly<Record<string, RegExp>> = {
  traceparent: /^[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/,
  tracestate: /^[ -~]{1,512}$/,
  baggage: /^[ -~]{1,8192}$/,
};

/** Checks the `_meta` that an author sets, as `checkMetaNames` does; also rejects keys that the protocol sets. */
export function checkMeta(what: string, meta: t.MetaObject | undefined): void {
  checkMetaNames(what, meta);
  const own = Object.keys(meta ?? {}).find((key) => ownKeys.has(key));
  if (own !== undefined)
    throw new TypeError(`_meta of ${what}: ${JSON.stringify(own)} is set by the protocol itself`);
}

/**
 * Throws a TypeError for the first key of a `_meta` that is malformed or has a reserved prefix. Keys of
 * official extensions below `io.modelcontextprotocol/` are accepted.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export function checkMetaNames(what: string, meta: unknown): void {
  if (meta === undefined) return;
  if (!isObject(meta)) throw new TypeError(`_meta of ${what} must be an object`);
  for (const [key, value] of Object.entries(meta)) {
    const problem = problemOf(key, value);
    if (problem !== undefined) throw new TypeError(`_meta of ${what}: ${JSON.stringify(key)} ${problem}`);
  }
}

function problemOf(key: string, value: unknown): string | undefined {
  const found = key === '' ? null : keyForm.exec(key);
  if (found === null) return 'must be a name such as example.com/name or name';
  const prefix = found.groups?.prefix;
  if (prefix !== undefined && prefix !== 'io.modelcontextprotocol' && isReserved(prefix))
    return 'has a prefix that is reserved for the protocol';
  const form = Object.hasOwn(traceForms, key) ? traceForms[key] : undefined;
  if (form === undefined || (typeof value === 'string' && form.test(value))) return undefined;
  return 'must follow W3C Trace Context and Baggage';
}

/** Returns true for a prefix whose second label is reserved for the protocol. */
function isReserved(prefix: string): boolean {
  const second = prefix.split('.')[1]?.toLowerCase();
  return second === 'modelcontextprotocol' || second === 'mcp';
}
