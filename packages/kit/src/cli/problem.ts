import { visible } from '@rootbound/protocol';

/** A mistake in a command line, which ends its parsing; the message is one line with the fix. */
export class Problem extends Error {}

/** Returns a word of the command line in quotes for a problem. */
export function quote(text: string): string {
  return `"${visible(text.length > 200 ? `${text.slice(0, 200)}...` : text)}"`;
}
