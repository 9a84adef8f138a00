import { join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { source } from './faults.ts';

const { ROOTBOUND_FAULTY_SOURCE: copy = source } = process.env;
const conditions = ['rootbound-source'];

/** Takes every module of the protocol package from the copy. */
const fromCopy: Plugin = {
  name: 'from-copy',
  enforce: 'pre',
  async resolveId(name, importer, options) {
    const found = await this.resolve(name, importer, { ...options, skipSelf: true });
    const within = found === null ? '..' : relative(source, found.id);
    return found === null || within.startsWith('..') ? found : { ...found, id: join(copy, within) };
  },
};

export default defineConfig({
  plugins: [fromCopy],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['{server,client}/*.test.ts'],
    // as in all other runs of them; else each loads the copy anew
    isolate: false,
    // how long a fault can make a test wait for what never comes
    testTimeout: 10_000,
    hookTimeout: 60_000,
  },
});
