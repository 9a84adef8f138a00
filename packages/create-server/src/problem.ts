/** A mistake that the user can correct; its message is one line that says how. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
