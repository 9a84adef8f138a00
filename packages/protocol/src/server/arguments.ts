import type * as z from 'zod';
import type { Tool } from './define.ts';

const MAX_PROBLEMS = 3;
const MAX_NAME_LENGTH = 100;

type Arguments = Readonly<Record<string, unknown>>;
type Named = Pick<Tool, 'input' | 'aliases'>;

/** Parses the arguments of a call; those under other names only where the call is invalid without that. */
export function parseArguments(tool: Named, args: Arguments): ReturnType<z.ZodObject['safeParse']> {
  const parsed = tool.input.safeParse(args);
  if (parsed.success || tool.aliases === undefined) return parsed;
  const renamed = renamedFor(tool, tool.aliases, args);
  return renamed === undefined ? parsed : tool.input.safeParse(renamed);
}

/** Returns the arguments by their own names; undefined where none has another, or two mean the same. */
function renamedFor({ input }: Named, aliases: Arguments, args: Arguments): Arguments | undefined {
  const { shape } = input;
  const names = Object.keys(args).map((name) => {
    const own = Object.hasOwn(shape, name) || !Object.hasOwn(aliases, name);
    return own ? name : String(aliases[name]);
  });
  const isRenamed = names.some((name, at) => name !== Object.keys(args)[at]);
  if (!isRenamed || new Set(names).size < names.length) return undefined;
  return Object.fromEntries(
    Object.entries(args).map(([name, value], at) => {
      const own = names[at]!;
      return [own, own === name ? value : fitted(shape[own], value)];
    }),
  );
}

/** Returns a list of a value for an argument that is a list, and the only value of a list for one that is none. */
function fitted(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  const fits = (one: unknown): boolean => {
    const result = schema?.['~standard'].validate(one);
    return result !== undefined && !(result instanceof Promise) && result.issues === undefined;
  };
  if (fits(value)) return value;
  if (!Array.isArray(value)) return fits([value]) ? [value] : value;
  const [only, ...others]: unknown[] = value;
  return others.length === 0 && fits(only) ? only : value;
}

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
