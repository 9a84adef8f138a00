import { AnswerError } from '../../client/errors.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import {
  argumentAt,
  argumentText,
  encodeHeaderValue,
  type HeaderParam,
  headerNames,
  headerParamsOf,
} from '../../protocol/headers.ts';
import type { Fields } from './carrier.ts';

/** What is known of a tool from the last list that it was in. */
interface KnownTool {
  mirrored: readonly HeaderParam[];
  /** calling it twice does no more than calling it once, as it says of itself */
  repeatable: boolean;
}

/**
 * The tools of a server as far as HTTP is concerned: which of their arguments are mirrored into headers.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
 */
export class ToolHeaders {
  readonly #onUnusable: (error: Error) => void;
  readonly #tools = new Map<string, KnownTool>();

  /** `onUnusable` hears of tools that cannot be called over HTTP. */
  constructor(onUnusable: (error: Error) => void) {
    this.#onUnusable = onUnusable;
  }

  /** The page of a list without the tools whose designations are not valid; what it says is remembered. */
  learn(result: Params): Params {
    const { tools } = result;
    if (!Array.isArray(tools)) return result;
    const usable = tools.filter((tool: unknown) => this.#learnTool(tool));
    return usable.length === tools.length ? result : { ...result, tools: usable };
  }

  /** The headers that a call needs besides those of every request; throws when an argument fits in none. */
  fieldsOf({ name, arguments: args }: Params): Fields {
    const known = this.#tools.get(name as string); // what is no string finds nothing
    const fields: Record<string, string> = {};
    for (const { name: header, path } of known?.mirrored ?? []) {
      const value = argumentAt(args, path);
      if (value === undefined) continue;
      const text = argumentText(value);
      if (typeof value === 'number' && text === undefined) {
        throw new RangeError(
          `argument ${path.join('.')} goes into a header and must be an integer below 2^53`,
        );
      }
      // the server says what is wrong with other values
      if (text !== undefined)
        fields[(headerNames.paramPrefix + header).toLowerCase()] = encodeHeaderValue(text);
    }
    return fields;
  }

  isRepeatable(name: unknown): boolean {
    return this.#tools.get(name as string)?.repeatable === true; // as above
  }

  /** Whether a tool can be called; values that are no tools are for others to refuse. */
  #learnTool(tool: unknown): boolean {
    if (!isObject(tool) || typeof tool.name !== 'string') return true;
    const { name, inputSchema, annotations } = tool;
    const hints = isObject(annotations) ? annotations : {};
    const repeatable = hints.readOnlyHint === true || hints.idempotentHint === true;
    try {
      this.#tools.set(name, { mirrored: headerParamsOf(inputSchema), repeatable });
      return true;
    } catch (cause) {
      this.#tools.delete(name);
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#onUnusable(new AnswerError(`tool ${name} is left out: ${reason}`, { cause }));
      return false;
    }
  }
}
