/** A message of the protocol, or a batch; tests access members freely. */
// biome-ignore lint/suspicious/noExplicitAny: tests access members of unknown type
export type Message = any; // oxlint-disable-line typescript/no-explicit-any
