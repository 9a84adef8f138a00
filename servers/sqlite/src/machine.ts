import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Check } from '@rootbound/kit/cli';
import { driverPackage, loadDriver } from './lane/driver.ts';
import { Child } from './lanes/child.ts';
import { usualLimits } from './lanes/limits.ts';
import { messageOf } from './shared/error.ts';

/** Time limit for loading the driver, ms. */
const LOAD_MS = 15_000;

/** Returns the checks of `--doctor` of this server: the driver and the lane process. */
export async function checkMachine(): Promise<readonly Check[]> {
  const driver = checkDriver();
  return driver.state === 'ok' ? [driver, await checkLane()] : [driver];
}

function checkDriver(): Check {
  const name = driverPackage();
  try {
    const db = new (loadDriver())(':memory:');
    const version = String(db.prepare('SELECT sqlite_version()').pluck().get());
    db.close();
    return { state: 'ok', what: `SQLite ${version} by ${originOf(name)}` };
  } catch (error) {
    return { state: 'fail', what: `${name} does not load: ${lineOf(error)}`, fix: fixOf(error, name) };
  }
}

/** Returns the origin of the driver: its package, and whether it was compiled on this machine. */
function originOf(name: string): string {
  const resolve = createRequire(import.meta.url);
  // the package for Node 20 depends on another version
  const from = name === 'better-sqlite3' ? resolve : createRequire(resolve.resolve(`${name}/package.json`));
  const manifest = from.resolve('better-sqlite3/package.json');
  const { version } = from(manifest) as { version: string }; // every package.json has a version
  const build = join(dirname(manifest), 'build', 'Release');
  const isBuilt = existsSync(join(build, 'better_sqlite3.node'));
  const isCompiled = isBuilt && ['obj', 'obj.target'].some((folder) => existsSync(join(build, folder)));
  const { modules, napi } = process.versions;
  const made = isCompiled
    ? 'compiled when it was installed'
    : isBuilt
      ? 'built before and downloaded'
      : 'built before';
  const fits = name === 'better-sqlite3' ? `Node-API ${napi}` : `ABI ${modules}`;
  return `better-sqlite3 ${version}, ${made}, for ${fits}`;
}

function fixOf(error: unknown, name: string): string {
  const text = messageOf(error);
  if (/NODE_MODULE_VERSION/.test(text))
    return 'install it again with this Node: it was built for another one';
  if (name === 'better-sqlite3') return 'install it again without omitting optional dependencies';
  return 'use Node 22 or newer, for which it needs no compiler, or install a C++ compiler and install it again';
}

/** Starts a lane process with its limits, and kills it. */
async function checkLane(): Promise<Check> {
  const file = join(import.meta.dirname, 'lane.js');
  const child = new Child({ file, limits: usualLimits, temporary: tmpdir() });
  child.ref();
  const late = setTimeout(() => void child.kill(), LOAD_MS);
  try {
    await child.ready;
  } catch (error) {
    const fix =
      'see the message; a memory limit of the system below that of the lane also prevents its start';
    return { state: 'fail', what: `the process that runs SQL does not start: ${lineOf(error)}`, fix };
  } finally {
    clearTimeout(late);
    await child.kill();
  }
  if (!usualLimits.watchMemory)
    return {
      state: 'ok',
      what: 'a process that runs SQL starts, with memory and file limits of the system',
    };
  return {
    state: 'warn',
    what: 'processes that run SQL check their own memory, since this system has no limit for it',
    fix: 'use Linux if you expect hostile SQL',
  };
}

function lineOf(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
