/*
 * The worker thread of searches. It opens files synchronously, because a promise per file costs more than reading the
 * file. It is part of the boundary's trusted code: all access goes through a handle that the boundary has verified, and
 * access.ts never follows a link below it.
 */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Scope } from '@rootbound/kit/boundary';
import { directoryAccess } from './access.ts';
import { Attention } from './attention.ts';
import { compileMatcher } from './compile-matcher.ts';
import { ContentVisitor } from './content-visitor.ts';
import { countEntries } from './count-entries.ts';
import type { DirectoryAccess } from './directory.ts';
import { DIRECTORY, errorCode, FILE, OTHER, SYMLINK, UNKNOWN_CODE } from './entries.ts';
import { Listing } from './listing.ts';
import type { FromWorker, TaskMessage, ToWorker, WorkerStart } from './messages.ts';
import { isAscii, toText } from './order.ts';
import { type Job, SearchError } from './query.ts';
import { RankedNameVisitor } from './ranked-names.ts';
import { Scanner } from './scan.ts';
import type { NameTest } from './segment.ts';
import { compileSelection } from './select.ts';
import { type CountEntries, NameVisitor } from './visitors.ts';
import { type Visitor, Walk, type WalkOptions } from './walk.ts';

/** The state of a run between its tasks. */
interface RunContext {
  walk: WalkOptions;
  bound: string | undefined;
}

const port = parentPort!;
const { control, updates } = workerData as WorkerStart; // the pool passes exactly this
const runs = new Map<number, Promise<RunContext>>();
const types = { file: FILE, directory: DIRECTORY, symlink: SYMLINK };
let attention: Attention;

// missing files are frequent here, and stacks are never reported
Error.stackTraceLimit = 0;

port.on('message', (message: ToWorker) => {
  if (message.type === 'forget') runs.delete(message.run);
  else void work(message);
});
post({ type: 'ready' });

async function work(message: TaskMessage): Promise<void> {
  const { run, task, start } = message;
  if (start !== undefined) runs.set(run, openRun(run, start.job, start.counts));
  try {
    const context = await runs.get(run)!; // set by the first task of the run
    attention = new Attention(control, updates, run, context.bound);
    const walk = new Walk(context.walk, attention);
    walk.run(task);
    context.bound = attention.bound;
    post({ type: 'done', run, failures: walk.failures });
  } catch (error) {
    post({ type: 'done', run, failures: [], error: describe(error) });
  }
}

async function openRun(run: number, job: Job, counts: Int32Array): Promise<RunContext> {
  const access = directoryAccess(job.access);
  const halted = () => attention.halted();
  const selection = await compileSelection(job.include, job.exclude, job.hidden);
  const wanted = job.content === undefined ? wantedTypes(job) : FILE;
  const { ignoring, depth } = job;
  const denied = deniedBelow(job);
  const ordered = job.sort === 'path';
  // results in another order may come from any directory
  const after = ordered ? job.after : undefined;
  const listing = new Listing({ selection, wanted, after, depth, denied, counts, halted });
  return {
    bound: undefined,
    walk: {
      root: job.root,
      access,
      listing,
      ignoring,
      visitor: await visitorOf(job, access, counts, halted, await countEntries(access, job, denied, halted)),
      ordered,
      limit: job.limit,
      counts,
      post: {
        found: (chunk) => post({ type: 'found', run, chunk }),
        give: (tasks) => post({ type: 'give', run, tasks }),
      },
    },
  };
}

/** Returns the test for denied names, by directory; undefined if the boundary denies none. */
function deniedBelow({ root, scope: facts }: Job): ((prefix: string) => NameTest) | undefined {
  if (facts?.deny === undefined || facts.deny.length === 0) return undefined;
  const scope = new Scope(facts);
  return (prefix) => {
    const denied = scope.hiddenIn(join(root.path, toText(prefix)));
    return (name) => denied(isAscii(name) ? name : toText(name));
  };
}

async function visitorOf(
  job: Job,
  access: DirectoryAccess,
  counts: Int32Array,
  halted: () => boolean,
  count: CountEntries | undefined,
): Promise<Visitor> {
  if (job.content !== undefined) {
    const scanner = new Scanner(job.content, await compileMatcher(job.content), counts, halted);
    return new ContentVisitor(job, access, scanner);
  }
  return job.sort === 'path' ? new NameVisitor(count) : new RankedNameVisitor(job, access);
}

function wantedTypes(job: Job): number {
  if (job.types === undefined) return FILE | DIRECTORY | SYMLINK | OTHER;
  return job.types.reduce((mask, type) => mask | types[type], 0);
}

function describe(error: unknown): { code: SearchError['code']; message: string; system?: string } {
  if (error instanceof SearchError) return { code: error.code, message: error.message };
  const code = errorCode(error);
  // the system's message has a path that the caller did not send
  if (code.startsWith('E') && code !== UNKNOWN_CODE) {
    return { code: 'root', message: `the root cannot be read (${code})`, system: code };
  }
  return {
    code: 'worker',
    message: `search failed: ${error instanceof Error ? error.message : String(error)}`,
  };
}

function post(message: FromWorker): void {
  port.postMessage(message);
}
