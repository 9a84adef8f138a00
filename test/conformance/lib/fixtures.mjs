import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const dist = join(import.meta.dirname, '..', 'dist');

/** The command that runs the fixture client under this Node; the suite appends a URL. */
export const clientCommand = [process.execPath, join(dist, 'client.js')]
  .map((word) => JSON.stringify(word))
  .join(' ');

/**
 * Starts the fixture server under this Node.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startServer() {
  const child = spawn(process.execPath, [join(dist, 'server.js'), '--port', '0'], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const exited = once(child, 'exit');
  const kill = () => void child.kill();
  process.once('exit', kill);
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url === undefined) {
      process.stderr.write(`${line}\n`);
      continue;
    }
    child.stderr.pipe(process.stderr);
    return {
      url,
      stop: async () => {
        process.off('exit', kill);
        kill();
        await exited;
      },
    };
  }
  throw new Error('the fixture server exited before it listened');
}
