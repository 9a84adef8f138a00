/** The line of a file's header with the blobs of both sides; lines of hunks begin with another character. */
const indexLine = /^index [0-9a-f]{40,64}(?:,[0-9a-f]{40,64}){0,16}\.\.[0-9a-f]{40,64}/gm;
const SHORT = 12;

/** Returns a patch for a text: with short ids of blobs, which the structured result has in full. */
export function withShortIds(patch: string): string {
  return patch.replace(indexLine, (line) => line.replace(/[0-9a-f]{40,64}/g, (oid) => oid.slice(0, SHORT)));
}
