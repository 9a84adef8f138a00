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

/** The parts of a tool's last listing that HTTP uses. */
interface KnownTool {
  mirrored: readonly HeaderParam[];
  /** true if the tool is declared idempotent or read-only */
  repeatable: boolean;
}

/**
 * The tools of a server and the arguments that are also sent as headers.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
 */
export class ToolHeaders {
  readonly #onUnusable: (error: Error) => void;
  readonly #tools = new Map<string, KnownTool>();

  /** `onUnusable` is called for tools that cannot be called over HTTP. */
  constructor(onUnusable: (error: Error) => void) {
    this.#onUnusable = onUnusable;
  }

  /** Records a page of tools; returns it without the tools that have an invalid x-mcp-header. */
  learn(result: Params): Params {
    const { tools } = result;
    if (!Array.isArray(tools)) return result;
    const usable = tools.filter((tool: unknown) => this.#learnTool(tool));
    return usable.length === tools.length ? result : { ...result, tools: usable };
  }

  /** Returns the additional headers of a call; throws if an argument cannot be sent as a header. */
  fieldsOf({ name, arguments: args }: Params): Fields {
    const known = this.#tools.get(name as string); // any other value matches no tool
    const fields: Record<string, string> = {};
    for (const { name: header, path } of known?.mirrored ?? []) {
      const value = argumentAt(args, path);
      if (value === undefined) continue;
      const text = argumentText(value);
      if (typeof value === 'number' && text === undefined) {
        throw new RangeError(
          `argument ${path.join('.')} is sent as a header and must be an integer below 2^53`,
        );
      }
      // the server reports other invalid values
      if (text !== undefined)
        fields[(headerNames.paramPrefix + header).toLowerCase()] = encodeHeaderValue(text);
    }
    return fields;
  }

  isRepeatable(name: unknown): boolean {
    return this.#tools.get(name as string)?.repeatable === true; // as above
  }

  /** Returns true if a tool can be called; values that are not tools are rejected elsewhere. */
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
