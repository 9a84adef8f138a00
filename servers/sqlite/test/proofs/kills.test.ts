import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { call } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { isAlive, isStopped, writerOf } from './processes.ts';
import { bundleServer, type Program, start } from './program.ts';
import { isSpilling, isUnfinished, sizeOf } from './unfinished.ts';

const full = process.env.ROOTBOUND_FULL === '1';
/** How many die in the middle of a transaction, and at any moment. */
const INSIDE = full ? 440 : 4;
const ANYWHERE = full ? 60 : 2;
const AT_ONCE = 2;
/** Rows of a transaction that does not fit into SQLite's cache, and of one that is over at once. */
const MANY = 200_000;
const FEW = 5;
const LAST = 1_000_000;

const made = scratch();
let program: Program;

beforeAll(async () => {
  program = await bundleServer();
});
afterAll(() => program.remove());

interface Death {
  readonly name: string;
  readonly mode: 'delete' | 'wal';
  readonly victim: 'lane' | 'server';
  /** after so many small transactions; without it in the middle of a large one */
  readonly after?: number;
}

const deaths: readonly Death[] = Array.from({ length: INSIDE + ANYWHERE }, (_, index) => ({
  name: `death-${index}.db`,
  mode: index % 2 === 0 ? 'delete' : 'wal',
  victim: Math.floor(index / 2) % 2 === 0 ? 'lane' : 'server',
  ...(index >= INSIDE && { after: 1 + (index % 7) }),
}));

/** One server after the other on one folder. */
class Place {
  readonly folder: string;
  readonly #pidFile: string;
  #client: Client | undefined;

  constructor(name: string) {
    this.folder = join(made.folder, name);
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

function database(folder: string, { name, mode }: Death): string {
  const path = join(folder, name);
  const db = made.open(path);
  db.pragma(`journal_mode = ${mode}`);
  db.exec(`
    CREATE TABLE batch (id INTEGER PRIMARY KEY, items INTEGER NOT NULL);
    CREATE TABLE item (batch INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT, PRIMARY KEY (batch, number));
    CREATE TABLE total (items INTEGER NOT NULL);
    INSERT INTO total VALUES (0);
  `);
  db.close();
  return path;
}

/** A transaction over three tables: whether it was told to have been done. */
async function write(client: Client, path: string, id: number, items: number): Promise<boolean> {
  const script = `
    INSERT INTO batch VALUES (${id}, ${items});
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${items})
      INSERT INTO item SELECT ${id}, i, hex(zeroblob(1500)) FROM n;
    UPDATE total SET items = items + ${items} WHERE true;
  `;
  return call(client, 'run_script', { script, database: path, undo: false }).then(
    ({ failed, code, text }) => {
      if (failed && code !== 'lane-ended') throw new Error(text);
      return !failed;
    },
    (error: { reason?: string }) => {
      if (error.reason !== 'closed') throw error;
      return false;
    },
  );
}

const until = (condition: () => boolean): Promise<boolean> =>
  vi.waitUntil(condition, { timeout: 60_000, interval: 2 });

/** Kills it while its writer stands still: whether a transaction was open then. */
async function kill(place: Place, { victim, mode }: Death, path: string): Promise<boolean> {
  const server = place.pid;
  const lane = writerOf(server, path);
  if (lane === undefined) throw new Error('nobody writes');
  process.kill(lane, 'SIGSTOP');
  await until(() => isStopped(lane));
  const unfinished = isUnfinished(path, mode);
  process.kill(victim === 'lane' ? lane : server, 'SIGKILL');
  if (victim === 'server') {
    await until(() => !isAlive(server));
    // it sees that its server has gone
    process.kill(lane, 'SIGCONT');
    await place.close();
  }
  await until(() => !isAlive(lane));
  return unfinished;
}

/** The batches that were told to be written before the death, and whether it came within a transaction. */
async function die(place: Place, death: Death, path: string): Promise<{ told: number[]; inside: boolean }> {
  const client = await place.client();
  const told = [0];
  expect(await write(client, path, 0, FEW)).toBe(true);
  if (death.after === undefined) {
    const before = sizeOf(death.mode === 'delete' ? path : `${path}-wal`);
    const writing = write(client, path, 1, MANY);
    await until(() => isSpilling(path, death.mode, before));
    const inside = await kill(place, death, path);
    expect([death.name, await writing]).toEqual([death.name, false]);
    return { told, inside };
  }
  let dying: Promise<boolean> | undefined;
  for (let id = 1; ; id++) {
    const writing = write(client, path, id, FEW);
    if (id === death.after) dying = kill(place, death, path);
    if (await writing) told.push(id);
    else break;
  }
  return { told, inside: await dying! };
}

/** The next one who writes finds all that was told and nothing by half. */
async function recover(place: Place, path: string, told: readonly number[]): Promise<void> {
  const client = await place.client();
  expect([path, await write(client, path, LAST, FEW)]).toEqual([path, true]);
  const query = `SELECT id, batch.items, count(item.batch), (SELECT items FROM total) FROM batch
    LEFT JOIN item ON item.batch = id GROUP BY id ORDER BY id`;
  const { facts, failed, text } = await call<{ rows: [number, number, number, number][] }>(
    client,
    'read_query',
    { query, database: path },
  );
  expect([path, failed, text]).toEqual([path, false, text]);
  expect(facts.rows.filter(([, wanted, found]) => wanted !== found)).toEqual([]);
  const found = facts.rows.map(([id]) => id);
  expect([...told, LAST].filter((id) => !found.includes(id))).toEqual([]);
  // who was about to be told may have been done
  expect(found.length - told.length - 1).toBeLessThanOrEqual(1);
  const sum = facts.rows.reduce((all, [, items]) => all + items, 0);
  expect(facts.rows[0]![3]).toBe(sum);
  const db = made.open(path);
  expect([path, db.pragma('integrity_check', { simple: true })]).toEqual([path, 'ok']);
  expect(
    db.prepare('SELECT count(*) FROM item WHERE batch NOT IN (SELECT id FROM batch)').pluck().get(),
  ).toBe(0);
  db.close();
}

// who writes, and that it stands still, is read from /proc
test.runIf(existsSync('/proc/self/fdinfo'))(
  'lanes and servers that are killed while they write leave no transaction by half, and the next one goes on',
  { timeout: 1_800_000 },
  async () => {
    let next = 0;
    let inside = 0;
    const work = async (place: Place): Promise<void> => {
      for (let death = deaths[next++]; death !== undefined; death = deaths[next++]) {
        const path = database(place.folder, death);
        const died = await die(place, death, path);
        if (died.inside) inside += 1;
        await recover(place, path, died.told);
      }
    };
    const places = Array.from({ length: AT_ONCE }, (_, index) => new Place(`place-${index}`));
    await Promise.all(places.map(work));
    for (const place of places) {
      await place.close();
      const beside = (): string[] => readdirSync(place.folder).filter((name) => !name.endsWith('.db'));
      // the last lanes may still be closing
      await vi.waitFor(() => expect(beside()).toEqual([]), 10_000);
    }
    expect(inside).toBeGreaterThanOrEqual(INSIDE);
  },
);
