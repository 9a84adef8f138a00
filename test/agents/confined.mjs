// in a network namespace with loopback only: listens for its parent process, passes it the listening ports by name,
// runs one program, and exits with its code
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

process.once(
  'message',
  (/** @type {{ command: string[], cwd: string, env: Record<string, string> }} */ order) => {
    const [program, ...args] = order.command;
    const child = spawn(program, args, {
      cwd: order.cwd,
      env: order.env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    process.once('disconnect', () => child.kill('SIGKILL'));
    child.once('error', ({ message }) => end(message));
    child.once('exit', (code, signal) => {
      if (code === null) end(`ended by ${signal}`);
      else process.exit(code);
    });
  },
);

for (const name of process.argv.slice(2)) {
  const server = createServer();
  server.listen(0, '127.0.0.1', () => {
    process.send({ name, interfaces: Object.keys(networkInterfaces()) }, server, () => server.close());
  });
}

/** @param {string} reason */
function end(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
