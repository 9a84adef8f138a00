import { isUtf8 } from 'node:buffer';
import { ToolError } from '@rootbound/protocol';
import type { Oid } from './oid.ts';
import type { Expression, Range, RefName, RefPattern, Refspec, RemoteName, Url } from './operand.ts';
import type { Rule } from './verb-rule.ts';
import { type FlagOf, type OptionOf, type Verb, verbs } from './verbs.ts';
import type { Place } from './work-place.ts';

/** A git command line; only `command` makes one. */
export interface Command {
  readonly verb: Verb;
  /** all arguments after `git` */
  readonly args: readonly string[];
  readonly input: Buffer | undefined;
  /** whether git is to take every path literally, as no path says so itself */
  readonly literal: boolean;
}

type Value = string | number | readonly string[];

/** A path of git: text, or bytes where it is not UTF-8. */
export type PathArgument = string | Buffer;

export interface Parts<V extends Verb> {
  readonly flags?: readonly FlagOf<V>[];
  /** several values give the option several times */
  readonly options?: { readonly [O in OptionOf<V>]?: Value | undefined };
  readonly names?: readonly (RefName | RefPattern | RemoteName | Url | Refspec)[];
  readonly revisions?: readonly (Oid | RefName | Range | Expression)[];
  /** literal, relative to the top of the work tree */
  readonly paths?: readonly PathArgument[];
  /** patterns of paths, with `*`, `?`, `[]` and `**`; those that begin with `!` exclude */
  readonly globs?: readonly string[];
  readonly input?: Buffer | undefined;
}

/** Bytes of paths, or of revisions, above which they go over stdin: Windows ends a command line at 32 KiB. */
const mostBytes = 16_384;

/**
 * Builds a command line from parts that the table of verbs knows.
 * @example
 * command('diff', { flags: ['--raw', '-z'], options: { '--unified': 5 }, revisions: [a, b], paths: ['-x', ':(top)'] });
 */
export function command<V extends Verb>(verb: V, parts: Parts<V> = {}): Command {
  const rule: Rule = verbs[verb];
  const args = [...verb.split(' '), ...rule.always, ...rule.confining];
  for (const flag of parts.flags ?? []) {
    if (!rule.flags.includes(flag)) throw new TypeError(`git ${verb} has no such flag here`);
    args.push(flag);
  }
  addOptions(args, verb, rule, (parts.options ?? {}) as Record<string, Value | undefined>);
  const paths = toPaths(parts.paths ?? [], parts.globs ?? [], rule.pathspecs);
  const revisions = parts.revisions ?? [];
  const bulk = bulkOf(rule, revisions, paths);
  if (bulk !== undefined && parts.input !== undefined) throw new TypeError('stdin is taken by the operands');
  args.push(...(bulk?.args ?? []));
  const operands = {
    names: parts.names ?? [],
    revisions: bulk?.revisions === true ? [] : revisions,
    paths: bulk?.paths === true ? [] : (paths as string[]),
  };
  for (const part of ['names', 'revisions', 'paths'] as const) {
    if (operands[part].length > 0 && !rule.layout.includes(part))
      throw new TypeError(`git ${verb} takes no ${part} here`);
  }
  for (const part of rule.layout) args.push(...(part === '--' ? ['--'] : operands[part]));
  return { verb, args, input: bulk?.input ?? parts.input, literal: !rule.pathspecs };
}

/** Returns the arguments of a run at a place: a run as by hand uses the configuration there. */
export function argumentsAt({ verb, args }: Command, place: Place | undefined): readonly string[] {
  const { always, confining }: Rule = verbs[verb];
  if (place?.byHand === undefined || confining.length === 0) return args;
  const begin = verb.split(' ').length + always.length;
  return args.toSpliced(begin, confining.length);
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

/** Returns paths as arguments; where git takes patterns, each has its magic. */
function toPaths(
  paths: readonly PathArgument[],
  globs: readonly string[],
  pathspecs: boolean,
): PathArgument[] {
  const literal = paths.map(checkedPath);
  if (!pathspecs) return literal;
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

/** The data for stdin, and the option with which git reads it. */
interface Bulk {
  readonly args: readonly string[];
  readonly input: Buffer;
  readonly revisions: boolean;
  readonly paths: boolean;
}

/** Returns the option for stdin for paths that do not fit a command line, or are not text. */
function bulkOf(
  { bulk }: Rule,
  revisions: readonly string[],
  paths: readonly PathArgument[],
): Bulk | undefined {
  const walks = bulk === 'revisions';
  const asBytes = paths.some((path) => typeof path !== 'string');
  const asLines = !walks || !paths.some((path) => path.includes('\n'));
  const ofPaths = bulk !== undefined && asLines && (asBytes || isMuch(paths));
  if (asBytes && !ofPaths) {
    throw new ToolError('git takes a path that is not UTF-8 only from its command line here', {
      code: 'unsupported',
      hint: 'name the folder above it instead',
    });
  }
  const ofRevisions = walks && isMuch(revisions);
  if (!ofPaths && !ofRevisions) return undefined;
  const byStdin = { revisions: ofRevisions, paths: ofPaths };
  if (!walks)
    return {
      ...byStdin,
      args: ['--pathspec-from-file=-', '--pathspec-file-nul'],
      input: joined(paths, '\0'),
    };
  const lines = [...(ofRevisions ? revisions : []), ...(ofPaths ? ['--', ...paths] : [])];
  return { ...byStdin, args: ['--stdin'], input: joined(lines, '\n') };
}

function isMuch(operands: readonly PathArgument[]): boolean {
  return operands.reduce((sum, operand) => sum + operand.length, 0) > mostBytes;
}

function joined(operands: readonly PathArgument[], end: string): Buffer {
  return Buffer.concat(operands.flatMap((operand) => [Buffer.from(operand as string), Buffer.from(end)]));
}
