import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Kind } from '../hostile/mutation.ts';
import { full } from '../seeds.ts';

/** A part of the server that keeps hostile repositories from something, and what finds that it is off. */
interface Guard {
  readonly name: string;
  /** the module of the guard, and what stands in for it */
  readonly off: () => void;
  readonly kinds: readonly Kind[];
  /** of these kinds the mutations that it is there for, by their words: of the others some only make git wait */
  readonly only?: RegExp;
}

const guards: readonly Guard[] = [
  {
    name: 'the list of settings',
    off: () =>
      vi.doMock('../../src/repository/config-rules.ts', async (original) => ({
        ...(await original<object>()),
        treatmentOf: () => 'obeyed',
      })),
    kinds: ['config', 'attributes'],
  },
  {
    name: 'the common directory of the server',
    off: () =>
      vi.doMock('../../src/repository/private-dir.ts', async (original) => {
        const actual = await original<typeof import('../../src/repository/private-dir.ts')>();
        const place = (repository: Parameters<typeof actual.readingPlace>[0]) => repository.place;
        return {
          ...actual,
          readingPlace: place,
          makePrivateDir: (repository: Parameters<typeof place>[0], given: { config: string }) => {
            const before = { ...given, head: '' };
            const nothing = () => undefined;
            return {
              place: place(repository),
              before,
              read: () => before,
              carryShallow: nothing,
              remove: nothing,
            };
          },
        };
      }),
    kinds: ['attributes'],
  },
  {
    name: 'the grammars of state files',
    off: () =>
      vi.doMock('../../src/repository/states/assert.ts', () => ({ assertKnownStates: () => undefined })),
    kinds: ['state'],
  },
  {
    name: 'the look for links',
    off: () =>
      vi.doMock('../../src/repository/links.ts', () => ({
        linksPassedOver: () => [],
        assertNoLinkOutOfObjects: () => undefined,
      })),
    kinds: ['entry'],
    only: /^a link to a (?:new )?(?:file|folder|git dir)/,
  },
];

/** So many cases have to be enough for a guard that is off, or its kind of mutation is too rare. */
const MOST = full ? 200 : 100;
const PATIENCE_MS = 20 * 60_000;
const seed = 7;

// the files of one worker share their modules: those of earlier files have every guard, and later ones must not miss any
const putBack = (): void => {
  vi.resetModules();
  vi.doUnmock('../../src/repository/config-rules.ts');
  vi.doUnmock('../../src/repository/private-dir.ts');
  vi.doUnmock('../../src/repository/states/assert.ts');
  vi.doUnmock('../../src/repository/links.ts');
};
beforeEach(putBack);
afterEach(putBack);

test.each(guards.map((guard) => [guard.name, guard] as const))(
  'without %s, hostile repositories run something, or what is outside is read, named or changed',
  async (_, { off, kinds, only = /^/ }) => {
    off();
    const { Served } = await import('../harness.ts');
    const { casesOf, findingsOf } = await import('../hostile/case.ts');
    const served = new Served();
    const cases = fc
      .sample(casesOf(kinds), { seed, numRuns: 20 * MOST })
      .filter(({ mutations }) => mutations.every(({ what }) => only.test(what)));
    for (const each of cases.slice(0, MOST)) {
      const findings = await findingsOf(served, each).catch(() => []);
      if (findings.some((finding) => !finding.startsWith('a fault'))) return;
    }
    expect.fail(`${MOST} repositories have not found out`);
  },
  PATIENCE_MS,
);
