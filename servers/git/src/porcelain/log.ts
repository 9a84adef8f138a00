import { type Command, command } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { type Change, toChange } from './changes.ts';
import { cutPage, type LogPage, type Page } from './log-page.ts';
import { isFiltered, type LogQuery, walkOf } from './log-query.ts';
import { oidOf, recordsOf, textOf } from './records.ts';

/** The author or committer of a commit, and the time, as in its object. */
export interface Person {
  readonly name: string;
  readonly email: string;
  /** seconds since 1970; undefined where the commit has no readable one */
  readonly time: number | undefined;
  /** as written: `+0200` */
  readonly zone: string | undefined;
}

export interface LogCommit {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Person;
  readonly committer: Person;
  /** the encoding that the commit names; git has converted its texts to UTF-8 where it could */
  readonly encoding: string | undefined;
  /** the whole message, or its first paragraph in one line when only that was requested */
  readonly message: string;
  /** when requested: the changes against its parent, within the paths; of a merge only by first parent */
  readonly files: readonly Change[];
}

export interface LogFacts {
  /** default: only the first paragraph, in one line */
  readonly wholeMessage?: boolean;
  readonly files?: boolean;
}

const facts = ['%H', '%T', '%P', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%e'];
export const FIELDS: number = facts.length + 1;

/** Builds the command that prints a page of history and one more commit, which shows whether another page follows. */
export function logCommand(query: LogQuery, page: LogPage, wanted: LogFacts = {}): Command {
  const walk = walkOf(query);
  const range = startOf(query, page);
  return command('log', {
    flags: [...walk.flags, ...walk.comparing, ...shared(wanted)],
    options: { ...walk.options, ...formatOf(wanted), '--skip': range.skip, '--max-count': range.count },
    ...walk.operands,
  });
}

/** Builds the command that prints exactly these commits, in this order. */
export function commitsCommand(oids: readonly Oid[], wanted: LogFacts = {}): Command {
  return command('log', {
    flags: ['--no-walk=unsorted', '--root', ...shared(wanted)],
    options: formatOf(wanted),
    revisions: oids,
  });
}

/** Builds the command that prints the commits of all refs, each once: the start of a log of everything. */
export function tipsCommand(): Command {
  return command('rev-list', { flags: ['--no-walk=unsorted', '--all'] });
}

/** Reads the output of `tipsCommand`. */
export function parseTips(bytes: Buffer): Oid[] {
  const lines = bytes.toString('latin1').split('\n').slice(0, -1);
  return [...new Set(lines)].map((line) => oidOf(line)!);
}

function shared({ files }: LogFacts) {
  const raw = ['--raw', '--no-abbrev', '--find-renames'] as const;
  return ['-z', '--no-mailmap', ...(files ? raw : (['--no-patch'] as const))] as const;
}

function formatOf({ wholeMessage }: LogFacts) {
  return {
    '--format': [...facts, wholeMessage ? '%B' : '%s'].join('%x00'),
    '--date': 'raw',
    '--encoding': 'UTF-8',
  };
}

/** Reads the output of `logCommand`. */
export function parseLogPage(bytes: Buffer, query: LogQuery, page: LogPage): Page<LogCommit> {
  return cutPage(parseLog(bytes), page, startOf(query, page).before);
}

/** Reads the output of `commitsCommand`; of incomplete output, the complete commits. */
export function parseLog(bytes: Buffer): LogCommit[] {
  // no field can hold a NUL, and no object name can begin with the colon of a changed file, so that nothing in a
  // commit can look like the beginning of another
  const tokens = recordsOf(bytes);
  const commits: LogCommit[] = [];
  for (let at = 0; at + FIELDS <= tokens.length; ) {
    const fields = tokens.slice(at, at + FIELDS);
    const files: Change[] = [];
    at += FIELDS;
    while (/^\n?:/.test(tokens[at] ?? '')) {
      const read = toChange(tokens, at);
      if (read === undefined) break;
      files.push(read.change);
      at = read.next;
    }
    commits.push(toCommit(fields, files));
  }
  return commits;
}

function toCommit(fields: readonly string[], files: readonly Change[]): LogCommit {
  const [oid, tree, parents, name, email, date, committer, committerEmail, committed, encoding, message] =
    fields;
  return {
    oid: oidOf(oid!)!,
    tree: oidOf(tree!)!,
    parents: parents === '' ? [] : parents!.split(' ').map((parent) => oidOf(parent)!),
    author: toPerson(name!, email!, date!),
    committer: toPerson(committer!, committerEmail!, committed!),
    encoding: encoding === '' ? undefined : textOf(encoding!),
    message: textOf(message!),
    files,
  };
}

function toPerson(name: string, email: string, date: string): Person {
  const [, digits, zone] = /^(-?\d+) ([+-]\d+)$/.exec(date) ?? [];
  return {
    name: textOf(name),
    email: textOf(email),
    time: digits === undefined ? undefined : Number(digits),
    zone,
  };
}

/** Returns how many commits git skips and prints for a page, and how many printed ones come before it. */
export function startOf(
  query: LogQuery,
  { limit, after }: LogPage,
): { skip: number; count: number; before: number } {
  if (after === undefined) return { skip: 0, count: limit + 1, before: 0 };
  // git skips before it looks at changes, so commits that it filters by them are counted here
  const before = isFiltered(query) ? after.seen : 1;
  return { skip: after.seen - before, count: before + limit + 1, before };
}
