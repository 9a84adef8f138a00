import { guarded } from '@rootbound/kit/call';
import type { ToolError } from '@rootbound/protocol';
import type { Command } from './command.ts';
import { failureOf, notStarted, stopped } from './failure.ts';
import { redact } from './redact.ts';
import { verbs } from './verbs.ts';
import { type Ended, type Executable, Work, type WorkOptions } from './work.ts';

export interface RunOptions extends WorkOptions {
  /** bytes of stdout, instead of the verb's maximum */
  readonly maxBytes?: number | undefined;
  /** statuses of success, default 0 alone */
  readonly okay?: readonly number[] | undefined;
  readonly onStdout?: ((chunk: Buffer) => void) | undefined;
  /** the hooks that git runs for it, so that a refusal is named as theirs */
  readonly hooks?: readonly string[] | undefined;
}

export interface Finished {
  readonly status: number;
  readonly stdout: Buffer;
  /** the last 64 KiB, without credentials */
  readonly stderr: string;
  /** stdout had more; a verb that only reads was ended */
  readonly truncated: boolean;
}

const nothing = Buffer.alloc(0);

/** Runs git to its end. A status other than success is a ToolError, whatever was printed. */
export async function run(git: Executable, command: Command, options: RunOptions = {}): Promise<Finished> {
  const work = new Work(git, command, options, command.input);
  const { writes, maxBytes } = verbs[command.verb];
  const most = options.maxBytes ?? maxBytes;
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    work.heard();
    if (size > most) return;
    chunks.push(chunk);
    size += chunk.length;
    // a change is never stopped because of its hooks' output
    if (size > most && !writes) work.stop('enough');
    options.onStdout?.(chunk);
  };
  let fault: { readonly error: unknown } | undefined;
  work.stdout.on(
    'data',
    guarded(take, (error) => {
      fault ??= { error };
      if (!writes) work.stop('enough');
    }),
  );
  const ended = await work.ended;
  // the outcome of a change matters more than a failed progress report
  if (fault !== undefined && !writes) throw fault.error;
  const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return finish(work, command, options, ended, whole.subarray(0, most), size > most);
}

/** Output as it comes. */
export interface Streamed {
  /** read it to the end, or until `stop`; leaving the loop stops git, too */
  readonly chunks: AsyncIterable<Buffer>;
  /** without stdout */
  readonly finished: Promise<Finished>;
  /** Ends git, without a failure: enough was read. */
  stop(): void;
}

/** Runs git and streams its output; git waits while nobody reads. */
export function stream(
  git: Executable,
  command: Command,
  options: Omit<RunOptions, 'maxBytes' | 'onStdout'> = {},
): Streamed {
  const work = new Work(git, command, options, command.input);
  // until somebody reads: Node discards unread output of a process that has ended, and the silence is not git's
  work.stdout.on('readable', () => undefined);
  work.pause();
  const finished = work.ended.then((ended) => finish(work, command, options, ended, nothing, false));
  // a reader of the chunks alone needs nothing else
  finished.catch(() => undefined);
  return { chunks: chunksOf(work), finished, stop: () => work.stop('enough') };
}

async function* chunksOf(work: Work): AsyncGenerator<Buffer, void, void> {
  work.heard();
  try {
    for await (const chunk of work.stdout.iterator({ destroyOnReturn: false })) {
      work.pause();
      yield chunk as Buffer;
      work.heard();
    }
  } catch (error) {
    // `finished` reports how it ended
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    if (!work.stdout.readableEnded) work.stop('enough');
  }
}

/** A process that answers requests until it ends. */
export interface Held {
  write(bytes: Buffer): void;
  readonly chunks: AsyncIterable<Buffer>;
  /** Ends the input: git answers the rest and exits. */
  end(): void;
  kill(): void;
  /** never rejects: undefined if it ended normally, or as requested */
  readonly died: Promise<ToolError | undefined>;
}

const noLimits = { idle: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };

/** Starts git for many requests. */
export function hold(git: Executable, command: Command, options: WorkOptions = {}): Held {
  const work = new Work(git, command, { ...options, limits: { ...noLimits, ...options.limits } }, 'open');
  const died = work.ended.then((ended) => {
    try {
      finish(work, command, options, ended, nothing, false);
      return undefined;
    } catch (error) {
      return error as ToolError;
    }
  });
  return {
    write: (bytes) => {
      const stdin = work.stdin!;
      if (!stdin.writable) return;
      // requests of one turn go in one chunk
      stdin.cork();
      stdin.write(bytes);
      process.nextTick(() => stdin.uncork());
    },
    chunks: chunksOf(work),
    end: () => void work.stdin!.end(),
    kill: () => work.stop('enough'),
    died,
  };
}

function finish(
  work: Work,
  { verb, args }: Command,
  { okay = [0], place, hooks }: RunOptions,
  { status, stop, error, stderr }: Ended,
  stdout: Buffer,
  truncated: boolean,
): Finished {
  if (error !== undefined) throw notStarted(verb, error);
  const redacted = redact(stderr);
  if (stop === 'enough') return { status: 0, stdout, stderr: redacted, truncated: true };
  if (okay.includes(status)) return { status, stdout, stderr: redacted, truncated };
  if (stop !== undefined) throw stopped(verb, stop, stop === 'cancelled' ? 0 : work.limits[stop]);
  throw failureOf({ verb, args, place, hooks }, status, stdout, stderr);
}
