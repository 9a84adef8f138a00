import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { full } from '../../extent.ts';
import { chainOf, ledger } from '../ledger.ts';
import { type Fault, faulty, readFaults } from './faults.ts';
import { Copy, type Tested } from './run.ts';

const faults = readFaults();
/** The faults with titles, by which tests can be selected. */
const named = faults.map((fault) => [`${fault.id} notices a fault in ${fault.file}`, fault] as const);
const folder = join(import.meta.dirname, '..');

/** Returns the test files with a requirement, by the id of any revision. */
function filesOf({ id }: Fault): string[] {
  const names = chainOf(id).map((member) => `'${member}'`);
  return ['server', 'client'].flatMap((side) =>
    readdirSync(join(folder, side))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, side, file))
      .filter((path) => names.some((name) => readFileSync(path, 'utf8').includes(name))),
  );
}

test.each(named)('%s, and the file contains the text to replace', (_title, fault) => {
  // any test would detect a syntax error
  expect(() => parseAst(faulty(fault), { lang: 'ts' })).not.toThrow();
  expect([ledger.has(fault.id), fault.from === fault.to]).toEqual([true, false]);
  expect(filesOf(fault)).not.toEqual([]);
});

/** Messages of failures because the code cannot run, in contrast to wrong behaviour. */
const cannotRun = /^(Syntax|Reference)Error/;

/** Defines a run without a fault and one for each fault; they take minutes, so only the full run has them. */
function seedFaults(): void {
  const copy = new Copy();
  afterAll(() => copy.remove());
  let sound: readonly Tested[];
  beforeAll(async () => {
    const { tests, broken } = await copy.run({ files: [...new Set(faults.flatMap(filesOf))] });
    expect([broken, tests.filter(({ passed }) => !passed)]).toEqual([[], []]);
    sound = tests;
  }, 300_000);

  test.each(named)(
    '%s',
    async (_title, fault) => {
      const chain = chainOf(fault.id);
      const proving = sound.filter(({ proofs }) => proofs.some(({ id }) => chain.includes(id)));
      expect(proving).not.toEqual([]);
      const files = [...new Set(proving.map(({ file }) => file))];
      const { tests, broken } = await copy.run({ files, names: proving.map(({ name }) => name), fault });
      expect(broken).toEqual([]);
      const problems = tests.flatMap((tested) => tested.problems);
      expect(problems).not.toEqual([]);
      expect(problems.filter((problem) => cannotRun.test(problem))).toEqual([]);
    },
    300_000,
  );
}

if (full) describe('a copy of the package', seedFaults);
