/** A failure that is reported to the caller; other errors are faults of this server. */
export class LaneError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly retryable: boolean;

  constructor(
    message: string,
    options: { code: string; hint?: string; retryable?: boolean; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LaneError';
    this.code = options.code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
  }
}

/** Returns the code of an error of Node or SQLite; undefined for other values. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Returns the message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the stack of an error, which begins with its message. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
