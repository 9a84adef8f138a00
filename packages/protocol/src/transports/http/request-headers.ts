import type { RpcError } from '../../jsonrpc/errors.ts';
import type { Params, Request } from '../../jsonrpc/message.ts';
import { rpcError } from '../../protocol/errors.ts';
import {
  argumentAt,
  argumentText,
  decodeHeaderValue,
  type HeaderParam,
  headerNames,
  headerParamsOf,
} from '../../protocol/headers.ts';
import { methodIn } from '../../protocol/methods.ts';
import type { Revision } from '../../protocol/revisions.ts';
import { chain } from '../../server/chain.ts';
import type { Server } from '../../server/server.ts';
import type { Exchange } from './exchange.ts';

/**
 * Returns the error if the headers of a stateless request do not match its body, or undefined.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function checkHeaders(
  exchange: Exchange,
  { method, params = {} }: Request,
  revision: Revision,
): RpcError | undefined {
  const named = exchange.header('mcp-method');
  if (named === undefined) return mismatch(`${headerNames.method} is missing`);
  if (named !== method) return mismatch(`${headerNames.method} does not match the method of the body`);
  const member = methodIn(revision, method)?.names;
  if (member === undefined) return undefined;
  const value = exchange.header('mcp-name');
  if (value === undefined) return mismatch(`${headerNames.name} is missing`);
  const decoded = decodeHeaderValue(value);
  if (decoded === undefined)
    return mismatch(`${headerNames.name} has characters that are not allowed in headers`);
  const wanted = params[member];
  // the method itself rejects a value that is not a string
  return typeof wanted !== 'string' || decoded === wanted
    ? undefined
    : mismatch(`${headerNames.name} does not match ${member} of the body`);
}

/** The tool parameters that are also sent as headers, by tool; read from the listed schemas once. */
export class HeaderParams<S> {
  readonly #server: Server<S>;
  #source: object | undefined;
  #byTool = new Map<string, readonly HeaderParam[]>();

  constructor(server: Server<S>) {
    this.#server = server;
  }

  /** Returns the error if the `Mcp-Param-*` headers of a tool call do not match its arguments, or undefined. */
  check(exchange: Exchange, params: Params): RpcError | undefined | Promise<RpcError | undefined> {
    const { name, arguments: args } = params;
    if (typeof name !== 'string') return undefined;
    return chain(this.#paramsOf(name), (mirrored) => {
      for (const param of mirrored) {
        const problem = checkParam(exchange, param, args);
        if (problem !== undefined) return problem;
      }
      return undefined;
    });
  }

  #paramsOf(tool: string): readonly HeaderParam[] | Promise<readonly HeaderParam[]> {
    return chain(this.#server.toolTexts('any'), (texts) => {
      if (texts !== this.#source) {
        this.#source = texts;
        this.#byTool = new Map();
      }
      const known = this.#byTool.get(tool);
      if (known !== undefined) return known;
      const text = Object.hasOwn(texts, tool) ? texts[tool]! : '';
      // the text is the tool's definition
      const mirrored = text.includes('"x-mcp-header"')
        ? headerParamsOf((JSON.parse(text) as { inputSchema: unknown }).inputSchema)
        : [];
      if (text !== '') this.#byTool.set(tool, mirrored);
      return mirrored;
    });
  }
}

function checkParam(
  exchange: Exchange,
  { name, path, type }: HeaderParam,
  args: unknown,
): RpcError | undefined {
  const header = headerNames.paramPrefix + name;
  const value = exchange.header(header.toLowerCase());
  const argument = argumentAt(args, path);
  if (argument === undefined) {
    return value === undefined
      ? undefined
      : mismatch(`${header} is present, but the body has no such argument`);
  }
  if (value === undefined) return mismatch(`${header} is missing`);
  const decoded = decodeHeaderValue(value);
  if (decoded === undefined) return mismatch(`${header} has characters that are not allowed in headers`);
  const wanted = argumentText(argument);
  const same =
    type === 'integer' && typeof argument === 'number' && decoded.trim() !== ''
      ? Number(decoded) === argument
      : decoded === wanted;
  return same || wanted === undefined
    ? undefined
    : mismatch(`${header} does not match the argument of the body`);
}

function mismatch(message: string): RpcError {
  return rpcError('HeaderMismatch', `header mismatch: ${message}`);
}
