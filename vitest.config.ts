import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['rootbound-source'] },
  ssr: { resolve: { conditions: ['rootbound-source'] } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'protocol', root: 'packages/protocol', include: ['test/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'kit', root: 'packages/kit', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'filesystem', root: 'servers/filesystem', include: ['test/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'git', root: 'servers/git', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'across',
          root: 'test',
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**'],
        },
      },
    ],
    testTimeout: process.env.ROOTBOUND_FULL === '1' ? 900_000 : 60_000,
    hookTimeout: 120_000,
  },
});
