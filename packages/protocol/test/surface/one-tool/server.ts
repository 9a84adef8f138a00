import { createServer } from '../../../src/index.ts';
import { serveStdio } from '../../../src/stdio.ts';
import { catalog } from './catalog.ts';

serveStdio(createServer({ name: 'sums', version: '1.0.0', tools: catalog }));
