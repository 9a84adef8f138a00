import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Served } from '../harness.ts';
import { full, tenth } from '../seeds.ts';
import { casesOf, findingsOf, wordsOf } from './case.ts';
import { type Kind, mutations } from './mutation.ts';

const served = new Served();
/** `npm run hostile -- --count N --seed S` sets these. */
const count = Number(process.env.ROOTBOUND_HOSTILE_COUNT ?? tenth(150));
const seed = Number(process.env.ROOTBOUND_HOSTILE_SEED ?? (full ? Date.now() % 1_000_000_007 : 18));
const BATCH = 20;
const PATIENCE_MS = 20 * 60_000;

const cases = fc.sample(casesOf(Object.keys(mutations) as Kind[]), { seed, numRuns: count });
const batches = Array.from({ length: Math.ceil(count / BATCH) }, (_, at) => at * BATCH);

test.each(batches)(
  `hostile repositories from number %i (seed ${seed}) run nothing, and nothing outside is read, named or changed`,
  async (from) => {
    const found: string[] = [];
    for (const [at, each] of cases.slice(from, from + BATCH).entries()) {
      const findings = await findingsOf(served, each).catch((error: unknown) => [String(error)]);
      if (findings.length > 0) found.push(`${from + at}: ${findings.join('; ')}: ${wordsOf(each)}`);
    }
    expect(found, found.join('\n')).toEqual([]);
  },
  PATIENCE_MS,
);
