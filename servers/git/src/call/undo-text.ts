/** Returns the text of a change followed by its undo, where it has one. */
export function withUndo(text: string, { undo }: { readonly undo?: string }): string {
  return undo === undefined ? text : `${text}\nundo: ${undo}`;
}

/**
 * Returns a call as undo texts name it: `git_restore with paths ["a"] and staged true`. Arguments that are undefined
 * are left out.
 */
export function callText(tool: string, args: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(args).flatMap(([name, value]) =>
    value === undefined ? [] : `${name} ${JSON.stringify(value)}`,
  );
  const last = parts.pop();
  return `${tool} with ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}`;
}
