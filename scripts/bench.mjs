import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const run = fileURLToPath(new URL('../test/bench/run.mjs', import.meta.url));
const child = spawn(process.execPath, [run, ...process.argv.slice(2)], { stdio: 'inherit' });
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
