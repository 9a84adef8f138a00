import { Boundary } from '@rootbound/kit/boundary';
import type { Check } from '@rootbound/kit/cli';
import { driverPackage, loadDriver } from './lane/driver.ts';

/** The lines of `--doctor` that only this server has: whether SQLite runs, and what holds its processes. */
export function checkMachine(): readonly Check[] {
  return [checkDriver(), checkLimits(), checkContainment()];
}

function checkDriver(): Check {
  const name = driverPackage();
  try {
    const db = new (loadDriver())(':memory:');
    const version = String(db.prepare('SELECT sqlite_version()').pluck().get());
    db.close();
    return { state: 'ok', what: `SQLite ${version} by ${name}` };
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return {
      state: 'fail',
      what: `${name} does not load: ${line}`,
      fix:
        name === 'better-sqlite3'
          ? 'install it again without omitting optional dependencies'
          : 'use Node 22 or newer, for which it needs no compiler, or install a C++ compiler and install it again',
    };
  }
}

function checkLimits(): Check {
  if (process.platform === 'linux')
    return { state: 'ok', what: 'limits of memory and files by the system, for each process that runs SQL' };
  return {
    state: 'warn',
    what: 'memory of processes that run SQL is watched by themselves, since this system has no limit for it',
    fix: 'use Linux where hostile SQL is to be expected',
  };
}

function checkContainment(): Check {
  const { containment } = new Boundary({ roots: [], policy: 'ignore' });
  return {
    state: 'ok',
    what: `containment ${containment} for every look at a file, best-effort for SQLite itself, which opens paths`,
  };
}
