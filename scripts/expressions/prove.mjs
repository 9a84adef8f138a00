// proves with recheck that an expression is linear
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const BACKENDS = {
  'darwin-arm64': 'recheck-macos-arm64',
  'darwin-x64': 'recheck-macos-x64',
  'linux-x64': 'recheck-linux-x64',
  'win32-x64': 'recheck-windows-x64',
};
/**
 * Limits of work and none of time, so that the result does not depend on the load of the machine. An attack has succeeded
 * when it takes that many steps, for a quadratic expression with some thousand characters.
 */
const PARAMETERS = {
  attackLimit: 30_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  timeout: 600_000,
  randomSeed: 0,
};

/**
 * Returns the name of an expression in the list of proved ones.
 * @param {{ source: string, flags: string }} expression
 */
export function keyOf({ source, flags }) {
  return createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 20);
}

/**
 * Returns whether nothing in an expression repeats, so that it is linear.
 * @param {string} source
 */
export function isFixed(source) {
  return !/[*+{]/.test(source);
}

/**
 * Returns the fault of an expression with a text that shows it, or undefined for a linear one.
 * @param {{ source: string, flags: string }} expression
 * @returns {Promise<{ fault: string, attack: string } | undefined>}
 */
export async function faultOf({ source, flags }) {
  process.env.RECHECK_BACKEND ??= hasNative() ? 'native' : 'pure';
  const { check } = await import('recheck');
  // the loop around a sticky expression tries it at each position
  const found = await check(source, flags.replace('y', ''), PARAMETERS);
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return { fault: `unknown (${found.error.kind})`, attack: '' };
  return { fault: found.complexity.summary, attack: found.attack.pattern };
}

/** Returns whether recheck has a program for this machine; its JavaScript takes three times as long. */
function hasNative() {
  const name = BACKENDS[/** @type {keyof typeof BACKENDS} */ (`${process.platform}-${process.arch}`)];
  if (name === undefined) return false;
  const store = join(dirname(require.resolve('recheck')), '..');
  return existsSync(store) && readdirSync(store).includes(name);
}
