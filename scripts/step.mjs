// npm run build, typecheck and lint: one step of npm test, as turbo names it; what stands behind -- is for turbo, too
import { install, pnpm } from './setup.mjs';

install();
pnpm(['turbo', 'run', ...process.argv.slice(2)]);
