import { readRun } from './client/run.ts';
import { scenarioOf } from './client/scenarios.ts';

const [url = ''] = process.argv.slice(2);
// reached only by a process that leaves nothing open and throws nothing
process.once('exit', (code) => {
  if (code === 0) process.stdout.write('ended well\n');
});
const run = readRun(url, process.env);
await scenarioOf(run.scenario)(run);
