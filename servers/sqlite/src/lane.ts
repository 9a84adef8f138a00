import { serveLane } from './lane/serve.ts';
import { watchOver } from './lane/watchdog.ts';

watchOver();
void serveLane().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
