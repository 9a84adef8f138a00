import { serveStdio } from '@rootbound/protocol/stdio';
import { fixture, Stage } from './fixture.ts';

serveStdio(fixture(new Stage(), { onError: (error) => process.stderr.write(`${String(error)}\n`) }));
