// npm run bench: compares the built servers with their peers and with a minimal responder
import { build, install } from './setup.mjs';

const servers = ['filesystem', 'git', 'sqlite', 'fetch'].map((name) => `@rootbound/server-${name}`);
install({ only: ['rootbound', ...servers.map((name) => `${name}...`), '@rootbound/test-bench'] });
build({ only: servers });

await import('../test/bench/run.mjs');
