import type * as z from 'zod';

const MAX_PROBLEMS = 3;
const MAX_NAME_LENGTH = 100;

/** Returns one line that describes the invalid arguments of a failed parse. */
export function describeProblems(error: z.ZodError, known: readonly string[]): string {
  const problems = error.issues.slice(0, MAX_PROBLEMS).map((issue) => describe(issue, known));
  const more = error.issues.length - problems.length;
  return more > 0 ? `${problems.join('; ')}; and ${more} more` : problems.join('; ');
}

type Issue = z.ZodError['issues'][number];

function describe(issue: Issue, known: readonly string[]): string {
  const where = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, MAX_PROBLEMS).map(quoted).join(', ');
    const more = issue.keys.length > MAX_PROBLEMS ? ` and ${issue.keys.length - MAX_PROBLEMS} more` : '';
    const place =
      where === '' ? `this tool takes ${known.length === 0 ? 'none' : known.join(', ')}` : `in ${where}`;
    return `unknown argument ${names}${more}; ${place}`;
  }
  const text = issue.message.replace(/^Invalid input: /, '').replace(/\s+/g, ' ');
  const problem = text.charAt(0).toLowerCase() + text.slice(1);
  if (where === '') return problem;
  return problem.endsWith('received undefined')
    ? `${where} is required (${problem})`
    : `${where}: ${problem}`;
}

function quoted(name: string): string {
  return JSON.stringify(name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}...` : name);
}
