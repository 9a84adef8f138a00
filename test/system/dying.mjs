// loaded before the server: counts its file system changes, and kills it right before one of them
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** The log of the changes, the number of the last one, and whether half of it is made. */
const { ROOTBOUND_CHANGES: log, ROOTBOUND_DIES_AT: last = '0', ROOTBOUND_DIES: how } = process.env;

const { appendFileSync, writeSync, constants } = fs;
let changes = 0;

/** @type {(name: string, args: unknown[]) => boolean} */
function isChange(name, args) {
  if (name === 'openSync') return (Number(args[1]) & constants.O_CREAT) !== 0;
  if (name === 'write' || name === 'writeSync') return Number(args[0]) > 2;
  return true;
}

/** @type {(name: string, args: unknown[]) => void} */
function count(name, args) {
  if (!isChange(name, args)) return;
  changes += 1;
  if (log !== undefined) appendFileSync(log, `${name}\n`);
  if (changes !== Number(last)) return;
  // on a slow machine the removal of leftover files may come first
  if (how === 'torn' && name.startsWith('write')) tear(args);
  process.kill(process.pid, 'SIGKILL');
}

/** Writes the first half. @type {(args: unknown[]) => void} */
function tear([fd, bytes, from = 0]) {
  const rest = /** @type {Buffer} */ (bytes).subarray(Number(from));
  writeSync(Number(fd), rest, 0, rest.length >> 1);
}

const changing = [
  'chmodSync',
  'fchmodSync',
  'fchownSync',
  'ftruncateSync',
  'futimesSync',
  'linkSync',
  'mkdirSync',
  'openSync',
  'rename',
  'renameSync',
  'rmdirSync',
  'symlinkSync',
  'unlink',
  'unlinkSync',
  'utimesSync',
  'write',
  'writeSync',
];

if (isMainThread) {
  const functions = /** @type {Record<string, (...args: unknown[]) => unknown>} */ (
    /** @type {unknown} */ (fs)
  );
  for (const name of changing) {
    const original = functions[name];
    /** @type {(...args: unknown[]) => unknown} */
    const counted = (...args) => {
      count(name, args);
      return original?.(...args);
    };
    // keeps the symbol for promisify
    functions[name] = Object.defineProperties(counted, Object.getOwnPropertyDescriptors(original));
  }
  syncBuiltinESMExports();
}
