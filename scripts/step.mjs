// npm run build, typecheck and lint: runs one step of npm test by its name in turbo; arguments after -- go to turbo
import { install, pnpm } from './setup.mjs';

install();
pnpm(['turbo', 'run', ...process.argv.slice(2)]);
