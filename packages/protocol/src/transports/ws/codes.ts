/**
 * Why a connection is closed, as a Close frame says it.
 * Source: RFC 6455 section 7.4.1
 */
export const closeCodes = {
  /** what the connection was for is done */
  Normal: 1000,
  /** the server shuts down, or the client leaves */
  GoingAway: 1001,
  /** a frame is not what the protocol allows */
  ProtocolError: 1002,
  /** a binary message; messages here are text */
  UnsupportedData: 1003,
  /** a text that is not UTF-8 */
  InvalidPayload: 1007,
  /** the other side may not stay */
  PolicyViolation: 1008,
  /** a message over the limit */
  MessageTooBig: 1009,
  /** a fault of this side */
  InternalError: 1011,
} as const;

export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** Codes that stand for the lack of a Close frame, or are reserved, and so are never in one. */
const neverSent: ReadonlySet<number> = new Set([1004, 1005, 1006]);
const LAST_REGISTERED = 1014;

/** Whether a Close frame may hold a code: one that is registered, or one of a library or an application. */
export function isSendable(code: number): boolean {
  return (
    (code >= closeCodes.Normal && code <= LAST_REGISTERED && !neverSent.has(code)) ||
    (code >= 3000 && code < 5000)
  );
}
