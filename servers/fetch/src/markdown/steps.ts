/** The work for a page beyond the parsing: number of elements that were searched and characters that were copied. */
export interface Steps {
  count: number;
}
