/** The part of a zod error that is read here; it also fits what `z.fromJSONSchema` schemas report. */
interface Issues {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}

/** One line that says where a value does not fit and why: its first problem. */
export function describeProblem({ issues }: Issues): string {
  const [first] = issues;
  if (first === undefined) return 'it does not fit';
  const text = first.message.replace(/^Invalid input: /, '').replace(/\s+/g, ' ');
  const where = first.path.map(String).join('.');
  return where === '' ? text : `${where}: ${text}`;
}
