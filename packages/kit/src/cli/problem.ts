import { visible } from '@rootbound/protocol';

/** Ends the reading of a command line at the first thing that is wrong; the message is one line with the fix. */
export class Problem extends Error {}

/** A word of the command line as a problem quotes it. */
export function quote(text: string): string {
  return `"${visible(text.length > 200 ? `${text.slice(0, 200)}...` : text)}"`;
}
