import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Place } from './workshop.ts';

const place = new Place();

test('a folder with something in it is refused, and stays as it was', async () => {
  mkdirSync(place.at('mine'));
  writeFileSync(place.at('mine', 'package.json'), 'precious');
  const { code, errors } = await place.run('mine', '--yes');
  expect([code, errors]).toEqual([2, expect.stringContaining('is not empty, and nothing is overwritten')]);
  expect(place.entries('mine')).toEqual(['package.json']);
  expect(place.read('mine', 'package.json')).toBe('precious');
});

test.each<[string, string[], RegExp]>([
  ['no folder', [], /name the folder to make, such as my-server/],
  ['two folders', ['one', 'two'], /one folder is made, not one, two/],
  ['a folder below none', ['none/my-server'], /none does not exist; make it first/],
  ['an unknown flag', ['my-server', '--langauge', 'en'], /'--langauge'; --help lists the flags/],
  ['an unknown transport', ['my-server', '--transport', 'smoke'], /"smoke"; it is stdio or http/],
  ['a description of two lines', ['my-server', '--description', 'a\nb'], /one line of text/],
  ['a folder that is no name', ['My Server'], /white space; choose one, such as --name my-server/],
  ['a fork without a checkout', ['fs', '--from', 'git'], /name it with --checkout/],
])('%s ends it with one line, and nothing is made', async (_what, argv, line) => {
  const { code, output, errors } = await place.run(...argv);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toMatch(line);
  expect(errors).toMatch(/^create-server: [^\n]*\n$/);
  expect(place.entries()).toEqual([]);
});

test('a file in the place of the folder stays', async () => {
  writeFileSync(place.at('my-server'), 'precious');
  const { code, errors } = await place.run('my-server');
  expect([code, errors]).toEqual([2, expect.stringContaining('is a file')]);
  expect(place.read('my-server')).toBe('precious');
});

test.each([
  ['Server', 'capital letters'],
  ['my server', 'white space'],
  ['', 'it is empty'],
  ['.server', 'a dot or an underscore'],
  ['@me/_server', 'a dot or an underscore'],
  ['@me/', 'a scoped name is @scope/name'],
  ['me/server', 'a scoped name is @scope/name'],
  ['sérver', 'the character "é"'],
  ['http', 'taken by Node or npm'],
  ['node_modules', 'taken by Node or npm'],
  ['x'.repeat(215), 'more than 214 characters'],
])('the name %j is refused with the reason', async (name, reason) => {
  const { code, errors } = await place.run('my-server', `--name=${name}`);
  expect([code, errors]).toEqual([2, expect.stringContaining(reason)]);
  expect(place.entries()).toEqual([]);
});

test('names that npm takes are taken', async () => {
  for (const [index, name] of ['a', 'my-server', '@me/fs', '@me/http', 'a.b_c'].entries()) {
    const { code } = await place.run(`folder-${index}`, '--name', name);
    expect([name, code]).toEqual([name, 0]);
    expect(place.json(`folder-${index}`, 'package.json')).toMatchObject({ name });
  }
});

test('packages that the folder of tarballs does not hold are named, and nothing is made', async () => {
  mkdirSync(place.at('tarballs'));
  const { code, errors } = await place.run('my-server', '--packages', place.at('tarballs'));
  expect([code, errors]).toEqual([2, expect.stringContaining('no tarball of @rootbound/kit')]);
  expect(place.entries()).toEqual(['tarballs']);
});

test('help and version are answered', async () => {
  expect(await place.run('--help')).toMatchObject({
    code: 0,
    output: expect.stringContaining('--transport'),
  });
  expect(await place.run('--version')).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+\.\d+/) });
  expect(place.entries()).toEqual([]);
});
