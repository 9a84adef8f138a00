/** Counts the work for a page beyond the parsing: elements that were searched and characters that were copied. */
export interface Steps {
  count: number;
}
