import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { call } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { isAlive, isStopped, writerOf } from './processes.ts';
import { bundleServer, type Program, start } from './program.ts';
import { isSpilling, isUnfinished, sizeOf } from './unfinished.ts';

/** Number of kills within a transaction, and at any moment. */
const INSIDE = full ? 190 : 8;
const ANYWHERE = full ? 30 : 4;
/** Servers that run at the same time, each with databases of one journal mode. */
const modes = ['delete', 'wal', 'delete', 'wal'] as const;
/** Kills after which a new database is used. */
const DEATHS_OF_ONE = 20;
/** Most turns of the event loop before a server is killed in a small transaction, which mostly has ended by then. */
const MOST_TURNS = 400;
/** Rows of a small transaction. */
const FEW = 5;
/** Rows of a transaction that exceeds SQLite's cache, and how many of them fill it. */
const MANY = 100_000;
const FILLING = 700;

const made = scratch();
let program: Program;

beforeAll(async () => {
  program = await bundleServer();
});
afterAll(() => program.remove());

type Mode = (typeof modes)[number];
type Victim = 'lane' | 'server';

/** A folder with one server after the other. */
class Place {
  readonly folder: string;
  readonly mode: Mode;
  readonly #pidFile: string;
  #client: Client | undefined;

  constructor(name: string, mode: Mode) {
    this.folder = join(made.folder, name);
    this.mode = mode;
    this.#pidFile = join(made.folder, `${name}.pid`);
    mkdirSync(this.folder);
    onTestFinished(() => this.close());
  }

  async client(): Promise<Client> {
    this.#client ??= await start(program, this.folder, this.#pidFile);
    return this.#client;
  }

  get pid(): number {
    return Number(readFileSync(this.#pidFile, 'utf8'));
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = undefined;
  }
}

/** A database and the batches that were reported as written. */
class Ledger {
  readonly path: string;
  readonly reported = new Set<number>();
  #last = 0;

  constructor({ folder, mode }: Place, name: string) {
    this.path = made.database(
      join(relative(made.folder, folder), name),
      `PRAGMA journal_mode = ${mode};
       CREATE TABLE batch (id INTEGER PRIMARY KEY, items INTEGER NOT NULL);
       CREATE TABLE item (batch INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT, PRIMARY KEY (batch, number));
       CREATE TABLE total (items INTEGER NOT NULL);
       INSERT INTO total VALUES (0);`,
    );
  }

  /** Writes a transaction over three tables and returns whether it was reported as committed. */
  async write(client: Client, items: number): Promise<boolean> {
    this.#last += 1;
    const id = this.#last;
    // the rows that fill the cache are written quickly, then there is time to kill the server
    const script = `
      INSERT INTO batch VALUES (${id}, ${items});
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${items})
        INSERT INTO item SELECT ${id}, i, hex(zeroblob(iif(${items} = ${MANY} AND i < ${FILLING}, 15000, 1500))) FROM n;
      UPDATE total SET items = items + ${items} WHERE true;
    `;
    const isReported = await call(client, 'run_script', { script, database: this.path, undo: false }).then(
      ({ failed, code, text }) => {
        if (failed && code !== 'lane-ended') throw new Error(text);
        return !failed;
      },
      (error: { reason?: string }) => {
        if (error.reason !== 'closed') throw error;
        return false;
      },
    );
    if (isReported) this.reported.add(id);
    return isReported;
  }
}

const until = <T>(condition: () => T): Promise<NonNullable<T>> =>
  vi.waitUntil(condition, { timeout: 120_000, interval: 2 }) as Promise<NonNullable<T>>; // it ends when the condition is true

/** Stops the writer, kills the server, and returns whether a transaction was open. */
async function kill(place: Place, victim: Victim, path: string): Promise<boolean> {
  const server = place.pid;
  const lane = await until(() => writerOf(server, path));
  process.kill(lane, 'SIGSTOP');
  await until(() => isStopped(lane));
  const unfinished = isUnfinished(path, place.mode);
  process.kill(victim === 'lane' ? lane : server, 'SIGKILL');
  if (victim === 'server') {
    await until(() => !isAlive(server));
    // it notices that its server is gone
    process.kill(lane, 'SIGCONT');
    await place.close();
  }
  await until(() => !isAlive(lane));
  return unfinished;
}

interface Died {
  /** whether a transaction was open */
  readonly inside: boolean;
  /** whether the transaction had ended before, and was reported */
  readonly isReported: boolean;
}

/** Kills the server in a transaction that exceeds the cache. */
async function dieWithin(place: Place, victim: Victim, ledger: Ledger): Promise<Died> {
  const { path } = ledger;
  const client = await place.client();
  const file = place.mode === 'delete' ? path : `${path}-wal`;
  const before = sizeOf(file);
  const writing = ledger.write(client, MANY);
  await Promise.race([writing, until(() => isSpilling(path, place.mode, before))]);
  const inside = await kill(place, victim, path);
  const isReported = await writing;
  if (inside) expect([path, isReported]).toEqual([path, false]);
  return { inside, isReported };
}

/** Kills the server some turns after a small transaction was sent. */
async function dieAnywhere(place: Place, victim: Victim, ledger: Ledger, turns: number): Promise<Died> {
  const writing = ledger.write(await place.client(), FEW);
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  const [inside, isReported] = await Promise.all([kill(place, victim, ledger.path), writing]);
  return { inside, isReported };
}

/** Asserts that the next server finds all reported batches and only whole ones. */
async function recover(place: Place, ledger: Ledger): Promise<void> {
  const { path, reported } = ledger;
  const client = await place.client();
  expect([path, await ledger.write(client, FEW)]).toEqual([path, true]);
  const query = `SELECT id, batch.items, count(item.batch), (SELECT items FROM total) FROM batch
    LEFT JOIN item ON item.batch = id GROUP BY id ORDER BY id`;
  const { facts, failed, text } = await call<{ rows: [number, number, number, number][] }>(
    client,
    'read_query',
    { query, database: path, limit: 500 },
  );
  expect([path, failed, text]).toEqual([path, false, text]);
  expect(facts.rows.filter(([, wanted, found]) => wanted !== found)).toEqual([]);
  const found = new Set(facts.rows.map(([id]) => id));
  expect([...reported].filter((id) => !found.has(id))).toEqual([]);
  // a batch whose report was on its way may be written
  expect(found.size - reported.size).toBeLessThanOrEqual(1);
  for (const id of found) reported.add(id);
  const sum = facts.rows.reduce((all, [, items]) => all + items, 0);
  expect(facts.rows[0]![3]).toBe(sum);
  const db = made.open(path);
  expect([path, db.pragma('integrity_check', { simple: true })]).toEqual([path, 'ok']);
  expect(
    db.prepare('SELECT count(*) FROM item WHERE batch NOT IN (SELECT id FROM batch)').pluck().get(),
  ).toBe(0);
  // the size of the log shows the start of the next transaction
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

// the writer, and that it is stopped, is read from /proc
test.runIf(existsSync('/proc/self/fdinfo'))(
  'lanes and servers that are killed while they write leave no transaction by half, and the next one goes on',
  { timeout: 1_800_000 },
  async () => {
    let inside = 0;
    let deaths = 0;
    const work = async (place: Place): Promise<void> => {
      let ledger: Ledger | undefined;
      let own = 0;
      const die = async (how: (victim: Victim, current: Ledger) => Promise<Died>): Promise<void> => {
        if (own % DEATHS_OF_ONE === 0) ledger = new Ledger(place, `after-${own}.db`);
        const current = ledger!; // created with the first
        expect(await current.write(await place.client(), FEW)).toBe(true);
        const died = await how(own % 2 === 0 ? 'lane' : 'server', current);
        // the next call may fail because a lane has died between two calls
        if (died.isReported) await current.write(await place.client(), FEW);
        await recover(place, current);
        own += 1;
        deaths += 1;
        if (died.inside) inside += 1;
      };
      // if the transaction had ended before, another kill replaces this one
      while (inside < INSIDE && deaths < 2 * INSIDE)
        await die((victim, current) => dieWithin(place, victim, current));
      for (let at = 0; at < ANYWHERE / modes.length; at++)
        await die((victim, current) => dieAnywhere(place, victim, current, (at * 73) % MOST_TURNS));
    };
    const places = modes.map((mode, index) => new Place(`place-${index}`, mode));
    await Promise.all(places.map(work));
    for (const place of places) {
      await place.close();
      const beside = (): string[] => readdirSync(place.folder).filter((name) => !name.endsWith('.db'));
      // the last lanes may not have closed yet
      await vi.waitFor(() => expect(beside()).toEqual([]), 120_000);
    }
    expect(inside).toBeGreaterThanOrEqual(INSIDE);
    expect(deaths).toBeGreaterThanOrEqual(INSIDE + ANYWHERE);
  },
);
