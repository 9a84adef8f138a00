import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { allExamples, Workshop } from './examples.ts';
import { entries, examplesIn, exportsOf, specifierOf } from './exports.ts';

const examples = allExamples();
const workshop = new Workshop(examples);
beforeAll(() => workshop.build());
afterAll(() => workshop.remove());

describe.each(entries)('%s', (entry) => {
  const offered = exportsOf(entry);

  test('exports exactly the listed names', async () => {
    const lines = offered.map(({ name, isType }) => `${isType ? 'type ' : ''}${name}`).toSorted();
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`exports/${entry}.txt`);
  });

  test('exports exactly the values at run time', async () => {
    const loaded = (await import(`../../src/${entry}.ts`)) as object;
    const values = offered.filter(({ isType }) => !isType).map(({ name }) => name);
    expect(Object.keys(loaded).toSorted()).toEqual(values.toSorted());
  });

  test('has a doc comment and an example for each', () => {
    const silent = offered.filter((one) => !/^[A-Z`]/.test(one.doc) || examplesIn(one).length === 0);
    expect(silent.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });
});

// the compiler reads all of the sources for it
if (full)
  test('the examples have no type errors', () => {
    expect(workshop.typeFaults()).toEqual([]);
  });

/** A server on standard streams ends its process. */
const apart = examples.filter(({ code }) => code.includes('serveStdio('));

test.each(examples.filter((one) => !apart.includes(one)).map(({ name }) => name))(
  'the example of %s runs',
  async (name) => {
    await import(workshop.pathOf(name));
  },
);

test.each(apart.map(({ name }) => name))('the example of %s runs', (name) => {
  const { status, stderr } = spawnSync(process.execPath, [workshop.pathOf(name)], {
    input: '',
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('an example with a wrong result fails', async () => {
  const wrong = new Workshop([
    { name: 'typed', code: "const wrong: number = 'text';\nexport {};\n" },
    { name: 'run', code: "import { deepStrictEqual as is } from 'node:assert';\nis(1, 2);\nexport {};\n" },
  ]);
  try {
    expect(wrong.typeFaults()).toEqual([expect.stringContaining('typed(1,7): error TS2322')]);
    await wrong.build();
    await expect(import(wrong.pathOf('run'))).rejects.toThrow('Expected values to be strictly deep-equal');
  } finally {
    wrong.remove();
  }
});

test('every entry of the package is checked', async () => {
  const { default: manifest } = (await import('../../package.json', { with: { type: 'json' } })) as {
    default: { exports: object; name: string };
  };
  const specifiers = Object.keys(manifest.exports).map((path) => manifest.name + path.slice(1));
  expect(specifiers.toSorted()).toEqual(entries.map(specifierOf).toSorted());
});
