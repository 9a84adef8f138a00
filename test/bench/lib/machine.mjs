import { spawn } from 'node:child_process';
import { cpus, loadavg, uptime } from 'node:os';

// NODE_EXTRA_CA_CERTS makes Node 20 parse every root certificate at start, which takes 30 ms
const STRIPPED = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE'];

/** The environment of every measured process. */
export function childEnv() {
  const env = { ...process.env };
  for (const name of STRIPPED) delete env[name];
  return env;
}

/** Returns one line about the machine and its load. */
export function describeMachine() {
  const cores = cpus();
  const load = loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');
  return `node ${process.version}, ${cores.length} x ${cores[0]?.model}, up ${Math.round(uptime() / 60)} min, load ${load}`;
}

/**
 * Returns the milliseconds from spawn to the last byte of a program's output; undefined if the program is not installed.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<{ ms: number, output: Buffer } | undefined>}
 */
export function timeProgram(command, args) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: childEnv() });
    /** @type {Buffer[]} */
    const parts = [];
    child.stdout.on('data', (chunk) => parts.push(chunk));
    child.stdout.on('end', () => {
      const ms = performance.now() - start;
      child.once('close', () => resolve({ ms, output: Buffer.concat(parts) }));
    });
    child.on('error', (error) => {
      if ('code' in error && error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
  });
}
