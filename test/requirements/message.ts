/** A message as it is on the wire, or a batch of them; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: what tests look into has no type before they have looked
export type Message = any; // oxlint-disable-line typescript/no-explicit-any
