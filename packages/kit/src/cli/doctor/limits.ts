import type { Check } from '../options.ts';
import type { Allowance } from './inotify.ts';
import type { Machine } from './machine.ts';

const ENOUGH_WATCHES = 65_536;
const ENOUGH_FILES = 1_024;
/** of the remaining watches: a large project */
const ROOM_FOR_WATCHES = 8_192;
/** of the remaining instances: each server has one of its own */
const ROOM_FOR_INSTANCES = 4;

/** Checks how much the system lets this user watch and this process open. */
export function checkLimits({ inotify, openFiles }: Machine): readonly Check[] {
  return [
    ...(inotify === undefined ? [] : [checkWatches(inotify.watches), checkInstances(inotify.instances)]),
    ...(openFiles === undefined ? [] : [checkFiles(openFiles)]),
  ];
}

function checkWatches({ limit, used, setting }: Allowance): Check {
  const fix = raise(setting, 524_288);
  const then =
    'so subscriptions to many files may fail: what is not watched is looked at in turns, 2000 paths';
  if (limit < ENOUGH_WATCHES)
    return { state: 'warn', what: `only ${limit} file watches allowed, ${used} of them taken, ${then}`, fix };
  if (limit - used < ROOM_FOR_WATCHES)
    return { state: 'warn', what: `${used} of ${limit} file watches are taken, ${then}`, fix };
  return { state: 'ok', what: `${limit} file watches allowed, ${used} of them taken` };
}

function checkInstances({ limit, used, setting }: Allowance): Check {
  const what = `${limit} programs of this user may watch files, ${used} do`;
  if (limit - used >= ROOM_FOR_INSTANCES) return { state: 'ok', what };
  const then = 'further ones look at each file in turns';
  return { state: 'warn', what: `${what}, and ${then}`, fix: raise(setting, 1_024) };
}

function checkFiles(limit: number): Check {
  if (limit >= ENOUGH_FILES) return { state: 'ok', what: `${limit} files may be open at once` };
  const fix = 'raise it where the client is started: ulimit -n 4096';
  return { state: 'warn', what: `only ${limit} files may be open at once, so large calls may fail`, fix };
}

function raise(setting: string, value: number): string {
  return `run sysctl ${setting}=${value} as root`;
}
