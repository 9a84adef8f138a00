/** Calls of `RegExp`, each with the reason why no text from outside makes it slow. */
export const made: readonly (readonly [file: string, call: string, reason: string])[];

/** Sticky expressions whose loops are linear, with the reason. */
export const accepted: readonly (readonly [expression: string, reason: string])[];

/** Expressions that are slow on long texts, with how many characters they see at most and the reason. */
export const bounded: readonly (readonly [expression: string, most: number, reason: string])[];
