import { serveStdio } from '@rootbound/protocol/stdio';
import { fixture, Stage } from './fixture.ts';

const { PROGRAM_TOKEN = '' } = process.env;
serveStdio(
  fixture(new Stage(), {
    onError: (error) => process.stderr.write(`${String(error)}\n`),
    ...(PROGRAM_TOKEN !== '' && { instructions: `The token has ${PROGRAM_TOKEN.length} letters.` }),
  }),
);
