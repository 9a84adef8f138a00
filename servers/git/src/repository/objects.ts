import { ToolError } from '@rootbound/protocol';
import { nameOf } from '../porcelain/names.ts';
import { type Command, command } from '../run/command.ts';
import type { Git } from '../run/git.ts';
import type { Oid } from '../run/oid.ts';
import { type Finished, hold, type RunOptions, run, stream } from '../run/run.ts';
import type { Place } from '../run/work-place.ts';
import type { Answer, ObjectInfo } from './answers.ts';
import { Reader, Request } from './reader.ts';
import type { Repository } from './repository.ts';
import { readShallow } from './shallow.ts';
import { stampOf } from './stamp.ts';
import { answerUnless } from './waiting.ts';

export interface ObjectsOptions {
  readonly git: Git;
  readonly repository: Pick<Repository, 'place' | 'commonDir' | 'reach'>;
  /** the place where git works, asked for at each start of a process */
  readonly place: () => Place;
  /** milliseconds for which an idle process is kept, and that one answer may take */
  readonly idleMs?: number;
}

/** An object with its bytes, unless they are more than wanted. */
export interface Contents extends ObjectInfo {
  readonly bytes: Buffer | undefined;
}

const IDLE_MS = 60_000;
const newline = Buffer.from('\n');
/** a name of no object, for which git looks for new ones */
const refresh = Buffer.from(`info ${'f'.repeat(40)}\n`);

/** The error of git where a partial clone has not an object and may not fetch it. */
const notFetched = /from promisor remote/;

/**
 * The objects of one repository, read by one `git cat-file`. It starts with the first request, restarts when it dies or
 * has read data that is stale, and stops when it is idle.
 */
export class Objects {
  readonly #options: ObjectsOptions;
  readonly #readers = new Set<Reader>();
  #reader: Reader | undefined;
  #stamp = '';
  #checked = false;
  #ends: { readonly stamp: string; readonly commits: ReadonlySet<Oid> | undefined } | undefined;
  /** whether git has answered at all: before that, its death is not the fault of one request */
  #proven = false;
  #closed = false;

  constructor(options: ObjectsOptions) {
    this.#options = options;
  }

  /** the repository whose objects these are */
  get repository(): ObjectsOptions['repository'] {
    return this.#options.repository;
  }

  /** Returns the object of a name, in any form that `git cat-file` takes; undefined when there is none. */
  async info(name: string | Buffer, signal?: AbortSignal): Promise<ObjectInfo | undefined> {
    return infoOf(await this.look(name, signal), name);
  }

  /** Returns the object of a name, and distinguishes an ambiguous name from a missing one. */
  look(name: string | Buffer, signal?: AbortSignal): Promise<Answer> {
    return this.#ask('info', name, undefined, signal);
  }

  /** Returns an object with its bytes, which are not read when they are more than `maxBytes`. */
  async contents(oid: Oid, maxBytes: number, signal?: AbortSignal): Promise<Contents | undefined> {
    const info = await this.info(oid, signal);
    if (info === undefined || info.size <= maxBytes) return info && this.read(oid, maxBytes, signal);
    return { ...info, bytes: undefined };
  }

  /**
   * Returns `contents` of any name in one step: for objects that are usually small, as git sends all of a large one,
   * too.
   */
  async read(name: string | Buffer, maxBytes: number, signal?: AbortSignal): Promise<Contents | undefined> {
    const answer = await this.#ask('contents', name, maxBytes, signal);
    const info = infoOf(answer, name);
    return info && { ...info, bytes: answer.kind === 'found' ? answer.bytes : undefined };
  }

  /** Streams a blob of any size, by a git of its own: a slow reader blocks nobody. */
  stream(blob: Oid, signal?: AbortSignal): ReturnType<typeof stream> {
    const asked = command('cat-file', { flags: ['-p'], revisions: [blob] });
    return stream(this.#options.git, asked, this.#runOptions(signal));
  }

  /** Runs another command in the same repository. */
  run(asked: Command, okay: readonly number[], signal?: AbortSignal): Promise<Finished> {
    return run(this.#options.git, asked, { ...this.#runOptions(signal), okay });
  }

  /** Returns the commits where a shallow clone ends; undefined when only git knows the history. */
  ends(): ReadonlySet<Oid> | undefined {
    this.#check();
    if (this.#ends?.stamp !== this.#stamp) {
      this.#ends = { stamp: this.#stamp, commits: readShallow(this.#options.repository) };
    }
    return this.#ends.commits;
  }

  /** Ends the process after the pending answers. */
  async close(): Promise<void> {
    this.#closed = true;
    const readers = [...this.#readers];
    for (const reader of readers) reader.retire();
    await Promise.all(readers.map((reader) => reader.gone));
  }

  async #ask(
    verb: 'info' | 'contents',
    name: string | Buffer,
    maxBytes: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    const bytes = typeof name === 'string' ? Buffer.from(name) : name;
    if (!isAskable(bytes)) throw new TypeError('git cat-file cannot be asked for such a name');
    const request = new Request(Buffer.concat([Buffer.from(`${verb} `), bytes, newline]), maxBytes);
    const reader = this.#current();
    if (isShort(bytes.toString('latin1'))) reader.ask(new Request(refresh, undefined));
    reader.ask(request);
    return signal === undefined ? request.answer : answerUnless(signal, request);
  }

  #current(): Reader {
    if (this.#closed) throw new ToolError('the repository is closed', { code: 'cancelled' });
    this.#check();
    if (this.#reader?.open !== true) this.#reader = this.#start();
    return this.#reader;
  }

  /** once in a burst of requests: replaces a git that has read stale data */
  #check(): void {
    if (this.#checked) return;
    this.#checked = true;
    queueMicrotask(() => {
      this.#checked = false;
    });
    const stamp = stampOf(this.#options.repository);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#reader?.retire();
    this.#reader = undefined;
  }

  #start(): Reader {
    const held = hold(
      this.#options.git,
      command('cat-file', { flags: ['--batch-command'] }),
      this.#runOptions(),
    );
    const reader = new Reader(held, this.#options.idleMs ?? IDLE_MS);
    this.#readers.add(reader);
    void reader.gone.then((error) => this.#lost(reader, error));
    return reader;
  }

  /** the request that was being answered is sent once more, in case it was not its fault; those after it in any case */
  #lost(reader: Reader, error: unknown): void {
    this.#readers.delete(reader);
    this.#proven ||= reader.answered;
    const waiting = [...reader.waiting];
    const [first] = waiting;
    if (first === undefined) return;
    if (error instanceof Error && notFetched.test(error.message)) first.settle({ kind: 'missing' });
    else if (first.deaths++ > 0) for (const request of this.#proven ? [first] : waiting) request.fail(error);
    try {
      for (const request of waiting) if (!request.settled) this.#current().ask(request);
    } catch (cause) {
      for (const request of waiting) request.fail(cause);
    }
  }

  #runOptions(signal?: AbortSignal): RunOptions {
    return { place: this.#options.place(), signal };
  }
}

/** Returns whether a name can be sent as a line: git strips a carriage return at its end, and stops at a NUL. */
export function isAskable(name: string | Buffer): boolean {
  return name.length > 0 && !/[\0\n]|\r$/.test(typeof name === 'string' ? name : name.toString('latin1'));
}

// git looks for them in a list of loose objects that it caches; `describe` prints such names, too
function isShort(name: string): boolean {
  const digits = /^(?:.*-g)?([0-9a-f]{4,})(?:[~^:]|$)/is.exec(name)?.[1]?.length;
  return digits !== undefined && digits !== 40 && digits !== 64;
}

function infoOf(answer: Answer, name: string | Buffer): ObjectInfo | undefined {
  if (answer.kind === 'ambiguous')
    throw new ToolError(`${nameOf(Buffer.from(name as string))} is ambiguous`, { code: 'ambiguous' });
  return answer.kind === 'found' ? answer.info : undefined;
}
