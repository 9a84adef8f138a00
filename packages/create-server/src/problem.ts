/** What the user can put right; its message is one line that says how. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
