import { type Command, command, type PathArgument } from '../run/command.ts';
import { isZero, type Oid, toOid } from '../run/oid.ts';
import type { Person } from './log.ts';
import { nameOfByteString, unquote } from './names.ts';
import { textOf, unexpected } from './records.ts';

export interface BlameQuery {
  readonly path: PathArgument;
  /** default: the work tree */
  readonly at?: Oid;
  /** ranges of lines, counted from 1, with the last one */
  readonly lines?: readonly { readonly from: number; readonly to?: number }[];
  readonly ignoreSpace?: boolean;
  /** reports lines that were moved within the file, or copied from others of the same commit, at their origin */
  readonly moves?: 'file' | 'commit';
  readonly since?: string;
  readonly without?: readonly Oid[];
  readonly firstParent?: boolean;
}

export interface BlameCommit {
  /** undefined: not committed yet */
  readonly oid: Oid | undefined;
  readonly author: Person;
  readonly committer: Person;
  readonly summary: string;
  /** where the walk ended, so that the lines may be older */
  readonly boundary: boolean;
}

/** Consecutive lines from one commit that were consecutive in one file. */
export interface BlameRun {
  readonly start: number;
  readonly count: number;
  readonly commit: BlameCommit;
  readonly path: string;
  readonly originalStart: number;
}

/** Builds the command that prints the last change of each line, in ranges as git finds them. */
export function blameCommand(query: BlameQuery): Command {
  const { path, at, lines = [], ignoreSpace, moves, since, without, firstParent } = query;
  return command('blame', {
    flags: [
      '--incremental',
      '--root',
      ...(ignoreSpace ? (['-w'] as const) : []),
      ...(moves === undefined ? [] : (['-M'] as const)),
      ...(moves === 'commit' ? (['-C'] as const) : []),
      ...(firstParent ? (['--first-parent'] as const) : []),
    ],
    options: {
      '--encoding': 'UTF-8',
      '-L': lines.map(({ from, to }) => (to === undefined ? `${from}` : `${from},${to}`)),
      '--since': since,
      '--ignore-rev': without,
    },
    ...(at === undefined ? {} : { revisions: [at] }),
    paths: [path],
  });
}

/** Reads the output of `blameCommand` as it comes. */
export class BlameReader {
  readonly #commits = new Map<string, BlameCommit>();
  readonly #runs: BlameRun[] = [];
  #entry: string[] = [];
  #unread = '';
  /** the number of lines that are known so far */
  lines = 0;

  push(chunk: Buffer): void {
    const text = chunk.toString('latin1');
    const end = text.lastIndexOf('\n');
    // a long line comes in many chunks, and is parsed when it is complete
    this.#unread += text.slice(0, end + 1);
    const lines = end === -1 ? [] : this.#unread.slice(0, -1).split('\n');
    this.#unread = end === -1 ? this.#unread + text : text.slice(end + 1);
    for (const line of lines) {
      this.#entry.push(line);
      // this line ends the description of a range
      if (line.startsWith('filename ')) this.#add(this.#entry.splice(0));
    }
  }

  /** Returns the known runs, in the order of their lines. */
  runs(): BlameRun[] {
    const runs: BlameRun[] = [];
    for (const run of this.#runs.toSorted((one, other) => one.start - other.start)) {
      const last = runs.at(-1);
      if (last !== undefined && continues(last, run)) {
        runs[runs.length - 1] = { ...last, count: last.count + run.count };
      } else runs.push(run);
    }
    return runs;
  }

  #add([first, ...facts]: readonly string[]): void {
    const [, oid, original, start, count] = /^([0-9a-f]+) (\d+) (\d+) (\d+)$/.exec(first!) ?? [];
    if (oid === undefined) throw unexpected('stretch of blame');
    const read = new Map(facts.map((fact) => splitAt(fact, fact.indexOf(' '))));
    // only the first range of a commit describes it
    if (!this.#commits.has(oid)) this.#commits.set(oid, toCommit(toOid(oid), read));
    this.#runs.push({
      start: Number(start),
      count: Number(count),
      commit: this.#commits.get(oid)!,
      path: nameOfPrinted(read.get('filename')!),
      originalStart: Number(original),
    });
    this.lines += Number(count);
  }
}

/** Reads all of the output of `blameCommand`. */
export function parseBlame(bytes: Buffer): BlameRun[] {
  const reader = new BlameReader();
  reader.push(bytes);
  return reader.runs();
}

function continues(last: BlameRun, run: BlameRun): boolean {
  const beside =
    last.start + last.count === run.start && last.originalStart + last.count === run.originalStart;
  return beside && last.commit === run.commit && last.path === run.path;
}

function splitAt(fact: string, space: number): [string, string] {
  return space === -1 ? [fact, ''] : [fact.slice(0, space), fact.slice(space + 1)];
}

function toCommit(oid: Oid, read: ReadonlyMap<string, string>): BlameCommit {
  return {
    oid: isZero(oid) ? undefined : oid,
    author: toPerson('author', read),
    committer: toPerson('committer', read),
    summary: textOf(read.get('summary') ?? ''),
    boundary: read.has('boundary'),
  };
}

function toPerson(role: string, read: ReadonlyMap<string, string>): Person {
  const time = read.get(`${role}-time`);
  return {
    name: textOf(read.get(role) ?? ''),
    email: textOf(read.get(`${role}-mail`) ?? '').replace(/^<|>$/g, ''),
    time: time === undefined ? undefined : Number(time),
    zone: read.get(`${role}-tz`),
  };
}

function nameOfPrinted(name: string): string {
  return nameOfByteString(name.startsWith('"') ? unquote(name) : name);
}
