import { isUtf8 } from 'node:buffer';
import { ToolError } from '@rootbound/protocol';
import type { Oid } from './oid.ts';
import type { Expression, Range, RefName, RefPattern, Refspec, RemoteName, Url } from './operand.ts';
import type { Rule } from './verbs/rule.ts';
import { type FlagOf, type OptionOf, type Verb, verbs } from './verbs.ts';

/** What git is asked; only `command` makes one. */
export interface Command {
  readonly verb: Verb;
  /** all that follows `git` */
  readonly args: readonly string[];
  readonly input: Buffer | undefined;
  /** whether every path means itself, and no character in it is special */
  readonly literal: boolean;
}

type Value = string | number | readonly string[];

/** A path of git: text, or bytes where it is no UTF-8. */
export type PathArgument = string | Buffer;

export interface Parts<V extends Verb> {
  readonly flags?: readonly FlagOf<V>[];
  /** several values give the option several times */
  readonly options?: { readonly [O in OptionOf<V>]?: Value | undefined };
  readonly names?: readonly (RefName | RefPattern | RemoteName | Url | Refspec)[];
  readonly revisions?: readonly (Oid | RefName | Range | Expression)[];
  /** literal, relative to the top of the work tree */
  readonly paths?: readonly PathArgument[];
  /** of paths, with `*`, `?`, `[]` and `**`; beginning with `!` they exclude */
  readonly globs?: readonly string[];
  readonly input?: Buffer | undefined;
}

/** More bytes of paths than that go over stdin: Windows ends a command line at 32 KiB. */
const mostPathBytes = 16_384;

/**
 * What git is asked, from parts that the table of verbs knows.
 * @example
 * command('diff', { flags: ['--raw', '-z'], options: { '--unified': 5 }, revisions: [a, b], paths: ['-x', ':(top)'] });
 */
export function command<V extends Verb>(verb: V, parts: Parts<V> = {}): Command {
  const rule: Rule = verbs[verb];
  const args = [...verb.split(' '), ...rule.always];
  for (const flag of parts.flags ?? []) {
    if (!rule.flags.includes(flag)) throw new TypeError(`git ${verb} has no such flag here`);
    args.push(flag);
  }
  addOptions(args, verb, rule, (parts.options ?? {}) as Record<string, Value | undefined>);
  const paths = toPaths(parts.paths ?? [], parts.globs ?? []);
  const bulk = bulkOf(rule, paths);
  if (bulk !== undefined && parts.input !== undefined) throw new TypeError('stdin is taken by the paths');
  args.push(...(bulk?.args ?? []));
  const operands = {
    names: parts.names ?? [],
    revisions: parts.revisions ?? [],
    paths: bulk ? [] : (paths as string[]),
  };
  for (const part of ['names', 'revisions', 'paths'] as const) {
    if (operands[part].length > 0 && !rule.layout.includes(part))
      throw new TypeError(`git ${verb} takes no ${part} here`);
  }
  for (const part of rule.layout) args.push(...(part === '--' ? ['--'] : operands[part]));
  return { verb, args, input: bulk?.input ?? parts.input, literal: (parts.globs ?? []).length === 0 };
}

function addOptions(
  args: string[],
  verb: Verb,
  rule: Rule,
  options: Record<string, Value | undefined>,
): void {
  for (const [option, given] of Object.entries(options)) {
    if (given === undefined) continue;
    if (!Object.hasOwn(rule.options, option)) throw new TypeError(`git ${verb} has no such option here`);
    const pattern = rule.options[option]!;
    for (const value of Array.isArray(given) ? given : [given]) {
      const text = String(value);
      if (!pattern.test(text) || !text.isWellFormed()) throw badValue(option);
      args.push(option.startsWith('--') ? `${option}=${text}` : option + text);
    }
  }
}

function badValue(option: string): ToolError {
  return new ToolError(`the value for ${option.replace(/^-+/, '')} is not one that git could take`, {
    code: 'invalid-argument',
  });
}

/** Paths as arguments; with patterns among them, each says what it is. */
function toPaths(paths: readonly PathArgument[], globs: readonly string[]): PathArgument[] {
  const literal = paths.map(checkedPath);
  if (globs.length === 0) return literal;
  const magic = literal.map((path) =>
    typeof path === 'string' ? `:(literal)${path}` : Buffer.concat([Buffer.from(':(literal)'), path]),
  );
  const patterns = globs.map((glob) => {
    const excludes = glob.startsWith('!');
    return `:(glob${excludes ? ',exclude' : ''})${checkedPath(excludes ? glob.slice(1) : glob).toString()}`;
  });
  return [...magic, ...patterns];
}

function checkedPath(path: PathArgument): PathArgument {
  if (path.length === 0)
    throw new ToolError('a path is empty', { code: 'invalid-path', hint: 'the top is "."' });
  if (path.includes('\0')) throw new ToolError('a path holds a NUL character', { code: 'invalid-path' });
  if (typeof path !== 'string') return isUtf8(path) ? path.toString() : path;
  if (!path.isWellFormed()) throw new ToolError('a path is not valid Unicode', { code: 'invalid-path' });
  return path;
}

/** The way over stdin for paths that do not fit a command line, or are no text. */
function bulkOf(rule: Rule, paths: readonly PathArgument[]): { args: string[]; input: Buffer } | undefined {
  const bytes = paths.some((path) => typeof path !== 'string');
  if (!bytes && paths.reduce((sum, path) => sum + path.length, 0) <= mostPathBytes) return undefined;
  const lines = rule.bulk === 'revisions';
  if (rule.bulk === undefined || (lines && paths.some((path) => path.includes('\n')))) {
    if (!bytes) return undefined;
    throw new ToolError('git takes a path that is not UTF-8 only from its command line here', {
      code: 'unsupported',
      hint: 'name the folder above it instead',
    });
  }
  const end = Buffer.from(lines ? '\n' : '\0');
  const joined = Buffer.concat(paths.flatMap((path) => [Buffer.from(path as string), end]));
  return lines
    ? { args: ['--stdin'], input: Buffer.concat([Buffer.from('--\n'), joined]) }
    : { args: ['--pathspec-from-file=-', '--pathspec-file-nul'], input: joined };
}
