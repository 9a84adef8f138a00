// npm run bench: the built servers beside their peers and the floor of the machine
import { build, install } from './setup.mjs';

install({ only: ['rootbound', '@rootbound/server-filesystem...', '@rootbound/test-bench'] });
build({ only: ['@rootbound/server-filesystem'] });

await import('../test/bench/run.mjs');
