import { LaneError, stackOf } from '../shared/error.ts';
import {
  fromLane,
  type LaneFailure,
  type LaneRequest,
  type Opened,
  type Opening,
  type ReplyHead,
  toLane,
} from '../shared/frames.ts';
import { type Connection, openConnection } from './connection.ts';
import { loadDriver } from './driver.ts';
import { failureOf } from './failure.ts';
import { assertSafeToWrite } from './journal.ts';
import { readFrame, writeFrame } from './pipe.ts';
import { Answer, type LaneCall, type Verb } from './verb.ts';
import { verbs } from './verbs.ts';

const PROGRESS_EVERY_MS = 50;

type AnyVerb = Verb<never, unknown>;

/**
 * Serves one database until the server ends or releases the lane: requests are run one after the other, in order.
 * `setWorking` is called when one begins and ends.
 */
export async function serveLane(setWorking: (isWorking: boolean) => void): Promise<void> {
  loadDriver();
  writeFrame(fromLane.ready, []);
  const lane: Lane = { connection: undefined };
  let hasServer = false;
  try {
    for (;;) {
      const incoming = readFrame();
      hasServer = incoming?.kind === toLane.leave;
      if (incoming === undefined || hasServer) break;
      // input of a request that has failed
      if (incoming.kind !== toLane.request) continue;
      setWorking(true);
      await serve(lane, incoming.bytes);
      setWorking(false);
    }
  } finally {
    setWorking(false);
    lane.connection?.close(hasServer);
  }
}

interface Lane {
  connection: Connection | undefined;
}

const loaded = new Map<string, AnyVerb>();

async function serve(lane: Lane, request: Buffer): Promise<void> {
  try {
    const { verb, args } = JSON.parse(request.toString()) as LaneRequest; // written by the server
    if (verb === 'open') {
      lane.connection = openConnection(args as Opening); // the args of `open`
      answer({ ownsSideFiles: lane.connection.ownsSideFiles } satisfies Opened, writeFrame);
      return;
    }
    const { connection } = lane;
    const run = loaded.get(verb) ?? ((await verbs[verb as keyof typeof verbs]()) as AnyVerb);
    loaded.set(verb, run);
    // SQLite rolls back a journal with each transaction that finds one, not only when the database is opened
    if (connection?.mode === 'write') assertSafeToWrite(connection.path);
    const outcome = run(callOf(connection!), args as never);
    answer(outcome instanceof Promise ? await outcome : outcome, writeFrame);
  } catch (error) {
    writeFrame(fromLane.failure, [JSON.stringify(failureOf(error) ?? faultOf(error))]);
  }
}

function callOf(connection: Connection): LaneCall {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    connection,
    progress(done, total, message) {
      const now = performance.now();
      if (now - reportedAt < PROGRESS_EVERY_MS && done !== total) return;
      reportedAt = now;
      writeFrame(fromLane.progress, [JSON.stringify([done, total ?? null, message ?? null])]);
    },
    emit: (bytes) => writeFrame(fromLane.data, [bytes]),
    pull() {
      writeFrame(fromLane.need, []);
      const incoming = readFrame();
      if (incoming?.kind === toLane.chunk) return incoming.bytes;
      if (incoming?.kind === toLane.end) return undefined;
      // without an error a part would pass for the whole input
      throw new LaneError('the server ended before it sent the whole input', { code: 'closing' });
    },
  };
}

function faultOf(error: unknown): LaneFailure {
  return { code: 'fault', message: stackOf(error) };
}

/** Sends the answer of a verb, then runs the work after it, and sends `idle` even if that work fails. */
export function answer(
  outcome: unknown,
  write: (kind: number, parts: readonly (Buffer | string)[]) => void,
): void {
  const { facts, parts, after } = outcome instanceof Answer ? outcome : new Answer(outcome ?? null, []);
  const head: ReplyHead = {
    facts,
    parts: parts.map(({ length }) => length),
    ...(after && { continues: true }),
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(json.length);
  write(fromLane.reply, [length, json, ...parts]);
  if (after === undefined) return;
  try {
    after();
  } catch (error) {
    // the caller has its answer; the server would assign a failure to the next call
    process.stderr.write(`${stackOf(error)}\n`);
  }
  write(fromLane.idle, []);
}
