import { serveLane } from './lane/serve.ts';
import { watchOver } from './lane/watchdog.ts';

void serveLane(watchOver()).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
