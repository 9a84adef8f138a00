/** Returns the text of a change followed by the notice of its hooks and its undo, where it has them. */
export function withUndo(
  text: string,
  { hooks, undo }: { readonly hooks?: string; readonly undo?: string },
): string {
  return [
    text,
    ...(hooks === undefined ? [] : [`hooks: ${hooks}`]),
    ...(undo === undefined ? [] : [`undo: ${undo}`]),
  ].join('\n');
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
