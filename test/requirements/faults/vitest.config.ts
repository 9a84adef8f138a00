import { join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { source } from './faults.ts';

const { ROOTBOUND_FAULTY_SOURCE: copy = source } = process.env;
const conditions = ['rootbound-source'];

/** Resolves every module of the protocol package in the copy. */
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
    // as in other runs; otherwise each test file loads the copy again
    isolate: false,
    // time limit of a test that a fault makes hang
    testTimeout: 10_000,
    hookTimeout: 60_000,
  },
});
