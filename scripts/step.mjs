// npm run build, typecheck and lint: one step of npm test for all packages; what stands behind -- is for turbo
import { install, pnpm } from './setup.mjs';

const STEPS = { build: 'build', typecheck: '//#typecheck:root', lint: '//#lint:root' };

const [name = '', ...options] = process.argv.slice(2);
install();
pnpm(['turbo', 'run', STEPS[/** @type {keyof typeof STEPS} */ (name)], ...options]);
