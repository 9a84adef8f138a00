export interface ToolErrorOptions {
  /** a stable word for programs, such as `not-found` */
  code?: string;
  /** whether the same call may succeed later */
  retryable?: boolean;
  /** what to do next, one sentence */
  hint?: string;
  cause?: unknown;
}

/**
 * A tool's own failure: the caller gets a result with `isError` whose text is the message and the hint.
 * @example throw new ToolError('no such file: notes.txt', { code: 'not-found', hint: 'list_directory shows what exists' });
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
