// whether an expression is linear, as recheck finds it
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
 * Bounds of work and none of time, so that a busy machine finds what an idle one finds: an attack has succeeded when it
 * takes so many steps, which for a quadratic expression are some thousand characters.
 */
const PARAMETERS = {
  attackLimit: 30_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  timeout: 600_000,
  randomSeed: 0,
};

/**
 * The name of an expression in the list of those that were proved.
 * @param {{ source: string, flags: string }} expression
 */
export function keyOf({ source, flags }) {
  return createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 20);
}

/**
 * Whether nothing in an expression repeats, so that no text can make it slow.
 * @param {string} source
 */
export function isFixed(source) {
  return !/[*+{]/.test(source);
}

/**
 * The fault of an expression and a text that shows it; undefined for one that is linear.
 * @param {{ source: string, flags: string }} expression
 * @returns {Promise<{ fault: string, attack: string } | undefined>}
 */
export async function faultOf({ source, flags }) {
  process.env.RECHECK_BACKEND ??= hasNative() ? 'native' : 'pure';
  const { check } = await import('recheck');
  // a sticky expression is tried at one place after another by the loop around it
  const found = await check(source, flags.replace('y', ''), PARAMETERS);
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return { fault: `unknown (${found.error.kind})`, attack: '' };
  return { fault: found.complexity.summary, attack: found.attack.pattern };
}

/** Whether recheck has a program for this machine; its JavaScript takes three times as long. */
function hasNative() {
  const name = BACKENDS[/** @type {keyof typeof BACKENDS} */ (`${process.platform}-${process.arch}`)];
  if (name === undefined) return false;
  const store = join(dirname(require.resolve('recheck')), '..');
  return existsSync(store) && readdirSync(store).includes(name);
}
