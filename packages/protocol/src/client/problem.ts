/** The members of a zod error that are used here; errors of `z.fromJSONSchema` schemas have them too. */
interface Issues {
  issues: readonly { path: readonly PropertyKey[]; message: string }[];
}

/** Returns one line with the path and the message of the first issue. */
export function describeProblem({ issues }: Issues): string {
  const [first] = issues;
  if (first === undefined) return 'invalid value';
  const text = first.message.replace(/^Invalid input: /, '').replace(/\s+/g, ' ');
  const where = first.path.map(String).join('.');
  return where === '' ? text : `${where}: ${text}`;
}
