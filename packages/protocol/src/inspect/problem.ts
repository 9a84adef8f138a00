/** A fault on the command line; the message is one line with the fix. */
export class Problem extends Error {}
