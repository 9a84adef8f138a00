import { parseArgs } from 'node:util';
import { serveHttp } from '@rootbound/protocol/http';
import { createFixture } from './server/fixture.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const { url } = await serveHttp(createFixture(), { port: Number(values.port) });
process.stderr.write(`listening on ${url}\n`);
