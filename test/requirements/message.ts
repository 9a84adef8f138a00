/** A message or a batch; tests access its members freely. */
// biome-ignore lint/suspicious/noExplicitAny: tests access members of unknown messages
export type Message = any; // oxlint-disable-line typescript/no-explicit-any
