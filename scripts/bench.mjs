// npm run bench: the built servers beside their peers and the floor of the machine
import { build, install } from './setup.mjs';

const servers = ['filesystem', 'git', 'sqlite', 'fetch'].map((name) => `@rootbound/server-${name}`);
install({ only: ['rootbound', ...servers.map((name) => `${name}...`), '@rootbound/test-bench'] });
build({ only: servers });

await import('../test/bench/run.mjs');
