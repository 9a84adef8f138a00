import { serveStdio } from '../../src/stdio.ts';
import { fixtureServer } from './fixture.ts';

serveStdio(fixtureServer(), { messageLimit: Number(process.env.MESSAGE_LIMIT ?? 64 * 1024 * 1024) });
