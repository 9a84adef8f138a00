import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { call } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { full } from '../seeds.ts';
import { type Deed, deeds, dyingFile, dyingGit, makeWork, startsFile, type Way, ways } from './deaths.ts';
import { bundleServer, start } from './program.ts';

/** How far one death is from the next, and where they begin; in the full run all that can leave locks have their turn. */
const STRIDE = full ? 5 : 37;
const leavesLocks = (way: Way): boolean => way === 'writing' || way === 'holding';
const seed = Number(process.env.ROOTBOUND_SEED ?? 1);
const AT_ONCE = 3;

/** A moment at which a server dies. */
interface Death {
  readonly what: string;
  readonly deed: Deed;
  /** the number of the git with which it dies */
  readonly at: number;
  readonly way: Way;
}

/** The state of the repository afterwards. */
interface Left {
  readonly words: string;
  readonly deed: Deed;
  readonly path: string;
  readonly died: boolean;
  readonly locks: readonly string[];
}

const made = scratch();
const { folder, git } = made;
let program: string;

beforeAll(async () => {
  makeWork(made);
  program = await bundleServer(folder);
});

/** A place of its own with a copy of the repository. */
function place(name: string): { readonly top: string; readonly path: string } {
  const top = join(folder, 'places', name);
  const path = join(top, 'work');
  mkdirSync(top, { recursive: true });
  cpSync(join(folder, 'work'), path, { recursive: true, preserveTimestamps: true });
  return { top, path };
}

async function server(paths: readonly string[], PATH?: string): Promise<Client> {
  const args = ['--tools', 'read,write,remote,advanced', '--allow-protocol', 'file'];
  const client = await start({
    program,
    args: [...args, ...paths, join(folder, 'origin.git')],
    ...(PATH !== undefined && { env: { PATH } }),
  });
  onTestFinished(() => client.close());
  return client;
}

const argsOf = ({ args }: Deed, path: string) => ({ repo_path: path, ...args });

/** Does everything once without dying: with how many gits. */
async function rehearse(): Promise<Death[]> {
  const top = join(folder, 'rehearsal');
  mkdirSync(top);
  const { PATH } = dyingGit(top, 0, 'before');
  const places = Object.keys(deeds).map((_, at) => place(`rehearsal-${at}`).path);
  const client = await server(places, PATH);
  const deaths: Death[] = [];
  for (const [index, [what, deed]] of Object.entries(deeds).entries()) {
    rmSync(join(top, startsFile), { force: true });
    const { failed, text } = await call(client, deed.tool, argsOf(deed, places[index]!));
    expect([what, failed, text]).toEqual([what, false, text]);
    const starts = readFileSync(join(top, startsFile), 'utf8').split('\n').length - 1;
    for (let at = 1; at <= starts; at++) deaths.push(...ways.map((way) => ({ what, deed, at, way })));
  }
  return deaths;
}

async function die({ what, deed, at, way }: Death, index: number): Promise<Left> {
  const words = `seed ${seed}: ${what}, ${way} at git ${at}`;
  const { top, path } = place(`death-${index}`);
  const client = await server([path], dyingGit(top, at, way).PATH);
  const died = await call(client, deed.tool, argsOf(deed, path)).then(
    () => false,
    (error: Error) => error.message.includes('SIGKILL'),
  );
  // what holds a git for longer than a call lets go of it
  await client.close();
  if (existsSync(join(top, dyingFile))) {
    const pid = readFileSync(join(top, dyingFile), 'utf8').trim();
    // git may outlive its server
    await vi.waitUntil(() => !isAlive(pid), { timeout: 120_000, interval: 5 });
  }
  git(path, 'fsck', '--full');
  return { words, deed, path, died, locks: locksOf(path) };
}

function isAlive(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false; // gone
  }
}

function locksOf(path: string): string[] {
  const all = readdirSync(join(path, '.git'), { recursive: true, encoding: 'utf8' });
  return all.filter((name) => name.endsWith('.lock')).sort();
}

interface Overview {
  readonly locks: readonly { name: string; age_seconds: number }[];
}

/** The reasons, besides locks, for which a repetition may fail: the work is done already, or by half. */
const honest = ['nothing-to-commit', 'nothing-to-stash', 'in-progress', 'exists', 'local-changes'];

/** The next server tells every lock, removes none, and goes on when people have. */
async function recover(client: Client, { words, deed, path, locks }: Left): Promise<void> {
  const overview = await call<Overview>(client, 'git_overview', { repo_path: path });
  expect([words, overview.failed, overview.text]).toEqual([words, false, overview.text]);
  expect([words, overview.facts.locks.map(({ name }) => name)]).toEqual([words, locks]);
  const { failed, code, text } = await call(client, deed.tool, argsOf(deed, path));
  const met = code === 'locked' || code === 'git-failed';
  if (failed && !met) expect([words, code, text]).toEqual([words, expect.toBeOneOf(honest), text]);
  if (met) {
    const named = locks.some((lock) => text.includes(lock));
    expect([words, text, named, /\d+ (?:second|minute)/.test(text)]).toEqual([words, text, true, true]);
  }
  expect([words, locksOf(path)]).toEqual([words, locks]);
  for (const lock of locks) rmSync(join(path, '.git', lock));
  const again = await call(client, deed.tool, argsOf(deed, path));
  if (again.failed) expect([words, again]).toEqual([words, { ...again, code: expect.toBeOneOf(honest) }]);
  git(path, 'fsck', '--full');
}

// who holds a lock, and who is whose parent, is read from /proc
test.runIf(existsSync('/proc/self/stat'))(
  'a server that is killed while it writes leaves a repository that git accepts, and the next one tells every lock',
  { timeout: 900_000 },
  async () => {
    const deaths = await rehearse();
    const chosen = deaths.filter(
      ({ way }, index) => (full && leavesLocks(way)) || index % STRIDE === seed % STRIDE,
    );
    const left: Left[] = [];
    for (let from = 0; from < chosen.length; from += AT_ONCE)
      left.push(
        ...(await Promise.all(chosen.slice(from, from + AT_ONCE).map((death, at) => die(death, from + at)))),
      );
    // two gits that start at once may both miss their turn
    expect(left.filter(({ died }) => died).length).toBeGreaterThan(left.length * 0.8);
    if (full) expect(left.filter(({ locks }) => locks.length > 0).length).toBeGreaterThan(5);
    const client = await server(left.map(({ path }) => path));
    // a write waits for a lock for some seconds
    for (let from = 0; from < left.length; from += 20)
      await Promise.all(left.slice(from, from + 20).map((each) => recover(client, each)));
  },
);
