/**
 * The options of a ToolError.
 * @example
 * const options: ToolErrorOptions = { code: 'busy', retryable: true, hint: 'try again in a minute' };
 */
export interface ToolErrorOptions {
  /** a stable identifier for programs, such as `not-found` */
  code?: string;
  /** true if the same call may succeed later */
  retryable?: boolean;
  /** the next step, in one sentence */
  hint?: string;
  cause?: unknown;
}

/**
 * A failure of a tool: the client gets a result with `isError` whose text is the message and the hint.
 * @example
 * const read = tool({
 *   name: 'read',
 *   description: 'Reads a memo.',
 *   input: z.object({ day: z.string() }),
 *   run: ({ day }) => {
 *     throw new ToolError(`no memo of ${day}`, { code: 'not-found', hint: 'list_memos shows what there is' });
 *   },
 * });
 */
export class ToolError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly hint: string | undefined;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ToolError';
    this.code = options.code ?? 'failed';
    this.retryable = options.retryable ?? false;
    this.hint = options.hint;
  }
}

/** Returns the message and the hint as one line. */
export function lineOf({ message, hint }: ToolError): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
