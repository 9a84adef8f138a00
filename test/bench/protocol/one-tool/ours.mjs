import { createServer } from '@rootbound/protocol';
import { serveStdio } from '@rootbound/protocol/stdio';
import { catalog } from './catalog.mjs';

serveStdio(createServer({ name: 'sums', version: '1.0.0', tools: catalog }));
