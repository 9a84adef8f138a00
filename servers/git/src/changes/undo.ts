/** The text of a change with what takes it back, where something does. */
export function withUndo(text: string, { undo }: { readonly undo?: string }): string {
  return undo === undefined ? text : `${text}\nundo: ${undo}`;
}
