/** The server said something that the protocol or the server's own word does not allow. */
export class AnswerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AnswerError';
  }
}

/** The connection does not have what was wanted: the revision lacks it, or the server did not declare it. */
export class CapabilityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CapabilityError';
  }
}

/** Anything thrown as an Error, so that a fault can be reported. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
