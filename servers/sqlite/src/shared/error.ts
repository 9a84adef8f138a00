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
