import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...args: unknown[]) => unknown;

/** Hears of each call of the system before it is made; an error that it gives is what the call fails with. */
export type Hook = (call: string) => Error | undefined;

// what closes is left out: nobody can mend a close that fails
const calls = [
  'chmodSync',
  'fchmodSync',
  'fstatSync',
  'linkSync',
  'lstatSync',
  'mkdirSync',
  'openSync',
  'opendirSync',
  'readSync',
  'readlinkSync',
  'renameSync',
  'rmdirSync',
  'symlinkSync',
  'unlinkSync',
  'utimesSync',
  'writeSync',
] as const;

let hook: Hook | undefined;
const functions: Record<string, unknown> = fs;

for (const call of calls) {
  const real = fs[call] as Call;
  functions[call] = (...args: unknown[]) => {
    const hears = hook;
    if (hears === undefined) return real(...args);
    // what the hook does is not heard of
    hook = undefined;
    const error = hears(call);
    hook = hears;
    if (error !== undefined) throw error;
    return real(...args);
  };
}
syncBuiltinESMExports();

/** Runs the body with a hook before each call of the system. */
export function hooked<T>(listener: Hook, body: () => T): T {
  hook = listener;
  try {
    return body();
  } finally {
    hook = undefined;
  }
}
