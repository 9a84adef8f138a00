/** Side effects of a change on a file's metadata that the caller should know. */
export interface ChangeEffects {
  readonly inPlace?: true;
  readonly lostSetId?: true;
}

/** Returns the notes of a result about these side effects. */
export function notesOf({ inPlace, lostSetId }: ChangeEffects): string[] {
  const notes: string[] = [];
  if (inPlace) notes.push('written in place, not atomically, to keep its owner, attributes or mount');
  if (lostSetId) notes.push('set-user-id and set-group-id were cleared');
  return notes;
}
