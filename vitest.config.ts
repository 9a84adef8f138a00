import { defineConfig } from 'vitest/config';
import { full } from './test/extent.ts';

const include = ['test/**/*.test.ts'];
/** Files whose tests replace modules, and so cannot share them with the others. */
const replacing = { kit: 'test/boundary/synced.test.ts', filesystem: 'test/listing/looks.test.ts' };

/** Tests of the full run alone: they need a browser, and its time. */
const rendering = 'test/rendering/**';

export default defineConfig({
  resolve: { conditions: ['rootbound-source'] },
  ssr: { resolve: { conditions: ['rootbound-source'] } },
  test: {
    projects: [
      // the files of one worker share their modules, which saves a fifth of the time
      { extends: true, test: { name: 'protocol', root: 'packages/protocol', include, isolate: false } },
      {
        extends: true,
        test: { name: 'kit', root: 'packages/kit', include, exclude: [replacing.kit], isolate: false },
      },
      { extends: true, test: { name: 'kit-replacing', root: 'packages/kit', include: [replacing.kit] } },
      {
        extends: true,
        test: {
          name: 'filesystem',
          root: 'servers/filesystem',
          include,
          exclude: [replacing.filesystem],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'filesystem-replacing',
          root: 'servers/filesystem',
          include: [replacing.filesystem],
        },
      },
      {
        extends: true,
        test: {
          name: 'git',
          root: 'servers/git',
          include,
          setupFiles: ['test/clean.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          root: 'servers/sqlite',
          include,
          globalSetup: ['test/lane-build.ts'],
          setupFiles: ['test/clean.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'fetch',
          root: 'servers/fetch',
          include,
          exclude: full ? [] : [rendering],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'create-server', root: 'packages/create-server', include, isolate: false },
      },
      {
        extends: true,
        test: { name: 'template', root: 'packages/create-server/template', include, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'across',
          root: 'test',
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          isolate: false,
        },
      },
    ],
    // the values of a failure that happens once in a while are wanted whole
    chaiConfig: { truncateThreshold: 300 },
    testTimeout: full ? 900_000 : 180_000,
    hookTimeout: 180_000,
  },
});
