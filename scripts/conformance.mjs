// npm run conformance: runs the official conformance suite with the built fixtures of both roles
import { build, install } from './setup.mjs';

install({ only: ['rootbound', '@rootbound/test-conformance...'] });
build({ only: ['@rootbound/test-conformance'] });

await import('../test/conformance/run.mjs');
