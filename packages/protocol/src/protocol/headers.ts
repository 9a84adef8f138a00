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
/** What a field value may hold as it is: visible ASCII and spaces between. */
const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * A text as the value of `Mcp-Name` or `Mcp-Param-*`: as it is, or as the base64 of its UTF-8 bytes in a sentinel.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !SENTINEL.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The text that a header value stands for, or undefined when it is not valid. */
export function decodeHeaderValue(value: string): string | undefined {
  const [, encoded] = SENTINEL.exec(value) ?? [];
  if (encoded === undefined) return PLAIN.test(value) ? value : undefined;
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

type Designated = 'string' | 'integer' | 'boolean';

/** A tool parameter that is mirrored into a header. */
export interface HeaderParam {
  /** the part of the header's name after the prefix */
  readonly name: string;
  /** the property names from the root of the arguments */
  readonly path: readonly string[];
  readonly type: Designated;
}

/**
 * The parameters of an input schema that are mirrored into headers; throws TypeError with one line when a
 * designation is not valid.
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
    throw new TypeError(`x-mcp-header of ${where} must be on a property that properties alone lead to`);
  if (type !== 'string' && type !== 'integer' && type !== 'boolean')
    throw new TypeError(`x-mcp-header of ${where} must be on a string, an integer or a boolean`);
  return { name, path, type };
}

/** The argument that a header mirrors, or undefined when it is absent or null. */
export function argumentAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value ?? undefined;
}

/** The text of an argument as its header says it, before encoding; undefined for what no header can say. */
export function argumentText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}
