/** The close codes of Close frames. Source: RFC 6455 section 7.4.1 */
export const closeCodes = {
  /** the purpose of the connection is fulfilled */
  Normal: 1000,
  /** the server shuts down, or the client leaves */
  GoingAway: 1001,
  /** a frame violates the protocol */
  ProtocolError: 1002,
  /** a binary message; only text is supported */
  UnsupportedData: 1003,
  /** a text that is not UTF-8 */
  InvalidPayload: 1007,
  /** the other side is not authorized */
  PolicyViolation: 1008,
  /** a message over the limit */
  MessageTooBig: 1009,
  /** a fault of this side */
  InternalError: 1011,
} as const;

export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** Codes that must not be in a Close frame: they stand for a missing one, or are reserved. */
const neverSent: ReadonlySet<number> = new Set([1004, 1005, 1006]);
const LAST_REGISTERED = 1014;

/** Returns true if a Close frame may have a code: a registered one, or one of a library or an application. */
export function isSendable(code: number): boolean {
  return (
    (code >= closeCodes.Normal && code <= LAST_REGISTERED && !neverSent.has(code)) ||
    (code >= 3000 && code < 5000)
  );
}
