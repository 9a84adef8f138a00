import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The transport and era of a server program. */
/** @typedef {'stateless' | 'session' | 'stdio'} Kind */

/**
 * A server with the same fourteen tools, written with one library or none.
 * @typedef {object} Program
 * @property {string} name
 * @property {string} path
 * @property {readonly Kind[]} kinds
 * @property {number} calls how many calls make one measurement: enough to tell, few enough to end
 */

/** The folder of the server programs. */
export const programFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'protocol');
const require = createRequire(import.meta.url);

/** @type {readonly Kind[]} */
const every = ['stateless', 'session', 'stdio'];

/** @type {Program} */
export const ours = { name: 'ours', path: join(programFolder, 'ours.mjs'), kinds: every, calls: 16_000 };

/** @type {readonly (Program & { needs?: string })[]} */
const known = [
  ours,
  { name: 'responder', path: join(programFolder, 'responder.mjs'), kinds: every, calls: 16_000 },
  {
    name: 'sdk 1',
    path: join(programFolder, 'sdk-1.mjs'),
    kinds: ['session', 'stdio'],
    calls: 2000,
    needs: '@modelcontextprotocol/sdk/server/mcp.js',
  },
  {
    name: 'sdk 2',
    path: join(programFolder, 'sdk-2.mjs'),
    kinds: every,
    calls: 2000,
    needs: '@modelcontextprotocol/server',
  },
];

/** Ours, the responder and the SDKs that are installed. */
export const programs = known.filter(({ needs }) => needs === undefined || isInstalled(needs));

/**
 * One entry per program that can be started as `kind`, by name.
 * @template T
 * @param {Kind} kind
 * @param {(program: Program) => T} make
 * @returns {Record<string, T>}
 */
export function eachProgram(kind, make) {
  return Object.fromEntries(
    programs.filter(({ kinds }) => kinds.includes(kind)).map((program) => [program.name, make(program)]),
  );
}

/** @param {string} specifier */
function isInstalled(specifier) {
  try {
    require.resolve(specifier);
    return true;
  } catch {
    // not installed: its columns stay empty
    return false;
  }
}
