import { isObject } from '../jsonrpc/message.ts';

/** Names of the headers that this protocol defines, in the case in which they are sent. */
export const headerNames = {
  protocolVersion: 'MCP-Protocol-Version',
  sessionId: 'Mcp-Session-Id',
  method: 'Mcp-Method',
  name: 'Mcp-Name',
  paramPrefix: 'Mcp-Param-',
  lastEventId: 'Last-Event-ID',
} as const;

const SENTINEL = /^=\?base64\?(.*)\?=$/s;
/** Values that need no encoding: visible ASCII with spaces and tabs inside. */
const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Returns the value of `Mcp-Name` or `Mcp-Param-*` for a text: the text itself, or the base64 of its UTF-8
 * bytes in a sentinel.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !SENTINEL.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Returns the text of a header value, or undefined if the value is invalid. */
export function decodeHeaderValue(value: string): string | undefined {
  const [, encoded] = SENTINEL.exec(value) ?? [];
  if (encoded === undefined) return PLAIN.test(value) ? value : undefined;
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

type Designated = 'string' | 'integer' | 'boolean';

/** A tool parameter that is also sent as a header. */
export interface HeaderParam {
  /** the header's name without the prefix */
  readonly name: string;
  /** property names, starting at the root of the arguments */
  readonly path: readonly string[];
  readonly type: Designated;
}

/**
 * Returns the parameters of an input schema that are also sent as headers; throws TypeError with one line for
 * an invalid `x-mcp-header`.
 */
export function headerParamsOf(inputSchema: unknown): HeaderParam[] {
  const found: HeaderParam[] = [];
  collect(inputSchema, [], true, found);
  const seen = new Set<string>();
  for (const { name } of found) {
    const key = name.toLowerCase();
    if (seen.has(key)) throw new TypeError(`x-mcp-header ${name} is used twice`);
    seen.add(key);
  }
  return found;
}

function collect(schema: unknown, path: readonly string[], reachable: boolean, found: HeaderParam[]): void {
  if (Array.isArray(schema)) {
    // isArray narrows unknown to any[]
    for (const member of schema as unknown[]) collect(member, path, false, found);
    return;
  }
  if (!isObject(schema)) return;
  if ('x-mcp-header' in schema) found.push(designation(schema, path, reachable));
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' && isObject(value)) {
      for (const [name, member] of Object.entries(value)) collect(member, [...path, name], reachable, found);
    } else if (!ANNOTATIONS.has(keyword)) collect(value, path, false, found);
  }
}

/** Keywords whose values are data, not schemas. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'x-mcp-header']);

function designation(
  schema: Record<string, unknown>,
  path: readonly string[],
  reachable: boolean,
): HeaderParam {
  const { 'x-mcp-header': name, type } = schema;
  const where = path.length === 0 ? 'the schema itself' : path.join('.');
  if (typeof name !== 'string' || !TOKEN.test(name))
    throw new TypeError(`x-mcp-header of ${where} must be an HTTP token`);
  if (!reachable || path.length === 0)
    throw new TypeError(
      `x-mcp-header of ${where} must be on a property that is reached through properties only`,
    );
  if (type !== 'string' && type !== 'integer' && type !== 'boolean')
    throw new TypeError(`x-mcp-header of ${where} must be on a string, an integer or a boolean`);
  return { name, path, type };
}

/** Returns the argument that a header repeats, or undefined if it is absent or null. */
export function argumentAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value ?? undefined;
}

/** Returns the header text of an argument before encoding, or undefined if a header cannot carry the value. */
export function argumentText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}
