/** What a change did to keep all but the content, where that is not what always happens. */
export interface ChangeEffects {
  readonly inPlace?: true;
  readonly lostSetId?: true;
}

/** What a result says of it. */
export function notesOf({ inPlace, lostSetId }: ChangeEffects): string[] {
  const notes: string[] = [];
  if (inPlace)
    notes.push('written in place, to keep its owner, attributes or mount: not in one step for who reads it');
  if (lostSetId) notes.push('set-user-id and set-group-id are gone');
  return notes;
}
