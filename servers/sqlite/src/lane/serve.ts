import { answer } from './answer.ts';
import { type Connection, openConnection } from './connection.ts';
import { loadDriver } from './driver.ts';
import { failureOf } from './failure.ts';
import { fromLane, type LaneFailure, type LaneRequest, type Opened, type Opening, toLane } from './frames.ts';
import { assertSafeToWrite } from './journal.ts';
import { readFrame, writeFrame } from './pipe.ts';
import type { LaneCall, Verb } from './verb.ts';
import { verbs } from './verbs.ts';

const PROGRESS_EVERY_MS = 50;

type AnyVerb = Verb<never, unknown>;

/** Serves one database until the server goes: one request after the other, as they come. */
export async function serveLane(): Promise<void> {
  loadDriver();
  writeFrame(fromLane.ready, []);
  const loaded = new Map<string, AnyVerb>();
  let connection: Connection | undefined;
  for (;;) {
    const incoming = readFrame();
    if (incoming === undefined) break;
    // what was sent for a request that has failed meanwhile
    if (incoming.kind !== toLane.request) continue;
    try {
      const { verb, args } = JSON.parse(incoming.bytes.toString()) as LaneRequest;
      if (verb === 'open') {
        connection = openConnection(args as Opening);
        answer({ alone: connection.alone } satisfies Opened, writeFrame);
        continue;
      }
      const run = loaded.get(verb) ?? ((await verbs[verb as keyof typeof verbs]()) as AnyVerb);
      loaded.set(verb, run);
      // SQLite rolls a journal back with each transaction that finds one, not only when the database is opened
      if (connection?.mode === 'write') assertSafeToWrite(connection.path);
      const outcome = run(callOf(connection!), args as never);
      answer(outcome instanceof Promise ? await outcome : outcome, writeFrame);
    } catch (error) {
      writeFrame(fromLane.failure, [JSON.stringify(failureOf(error) ?? faultOf(error))]);
    }
  }
  connection?.close();
}

function callOf(connection: Connection): LaneCall {
  let told = Number.NEGATIVE_INFINITY;
  return {
    connection,
    progress(done, total, message) {
      const now = performance.now();
      if (now - told < PROGRESS_EVERY_MS && done !== total) return;
      told = now;
      writeFrame(fromLane.progress, [JSON.stringify([done, total ?? null, message ?? null])]);
    },
    emit: (bytes) => writeFrame(fromLane.data, [bytes]),
    pull() {
      writeFrame(fromLane.need, []);
      const incoming = readFrame();
      return incoming?.kind === toLane.chunk ? incoming.bytes : undefined;
    },
  };
}

function faultOf(error: unknown): LaneFailure {
  return { code: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
