import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { chainOf, ledger } from '../ledger.ts';
import { type Fault, faulty, readFaults } from './faults.ts';
import { type Outcome, run } from './run.ts';

const faults = readFaults();
const folder = join(import.meta.dirname, '..');

/** The test files that name a requirement, by any of its revisions. */
function filesOf({ id }: Fault): string[] {
  const names = chainOf(id).map((member) => `'${member}'`);
  return ['server', 'client'].flatMap((side) =>
    readdirSync(join(folder, side))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, side, file))
      .filter((path) => names.some((name) => readFileSync(path, 'utf8').includes(name))),
  );
}

test.each(faults)('$file has a place for the fault that $id notices', (fault) => {
  expect(faulty(fault)).not.toBe('');
  expect([ledger.has(fault.id), fault.from === fault.to]).toEqual([true, false]);
  expect(filesOf(fault)).not.toEqual([]);
});

/** The 40 runs, and one that is sound: minutes, so for the full run alone. */
function seedFaults(): void {
  let sound: Outcome;
  beforeAll(async () => {
    sound = await run([...new Set(faults.flatMap(filesOf))]);
    expect(sound.failed).toEqual([]);
  }, 600_000);

  test.each(faults)(
    '$id is not proved when $file has it',
    async (fault) => {
      const { proved, failed } = await run(filesOf(fault), fault);
      const named = [...sound.proved].filter((proof) => chainOf(fault.id).includes(proof.split(' ')[0]!));
      expect(named).not.toEqual([]);
      expect([failed.length > 0, named.some((proof) => !proved.has(proof))]).toEqual([true, true]);
      // a copy that does not even load would prove nothing at all
      expect(proved.size).toBeGreaterThan(0);
    },
    600_000,
  );
}

if (process.env.ROOTBOUND_FULL === '1') describe('with a fault in a copy of the package', seedFaults);
