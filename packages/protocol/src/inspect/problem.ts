/** Something on the command line that is wrong, in one line with the fix. */
export class Problem extends Error {}
