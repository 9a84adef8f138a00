/** What a page has cost beyond the telling of it: what was walked, and the characters that were copied again. */
export interface Steps {
  count: number;
}
