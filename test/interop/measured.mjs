import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into a server before it starts: tells its parent, when asked, how many bytes live.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('message', () => {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.send(heapUsed + external);
});
process.channel.unref();
