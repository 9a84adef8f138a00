import { serveLane } from './lane/serve.ts';
import { watchOver } from './lane/watchdog.ts';
import { stackOf } from './shared/error.ts';

void serveLane(watchOver()).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${stackOf(error)}\n`);
    process.exit(1);
  },
);
