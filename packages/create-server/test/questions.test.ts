import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Place } from './workshop.ts';

const place = new Place();

test('on a terminal everything is asked, and empty answers take what is offered', async () => {
  const { code, output } = await place.answer(['', '', '', '', 'no', 'no']);
  expect(code).toBe(0);
  expect(output).toContain('Folder (my-server): ');
  expect(output).toContain('Name of the npm package (my-server): ');
  expect(output).toContain('Clients reach it by stdio or http (stdio): ');
  expect(place.entries()).toEqual(['my-server']);
});

test('what the flags say is not asked', async () => {
  const flags = ['my-server', '--name', 'a', '--description', 'b', '--transport', 'http', '--no-install'];
  const { code, output } = await place.answer(['no'], ...flags);
  expect([code, output.split(': ')[0]]).toEqual([0, 'Make a git repository (yes)']);
});

test('an answer that will not do is explained and asked again', async () => {
  mkdirSync(place.at('full'));
  writeFileSync(place.at('full', 'file'), '');
  const answers = ['full', 'My Own', 'My Own', '', 'Sums.', 'smoke', 'http', 'maybe', 'no', 'no'];
  const { code, output } = await place.answer(answers);
  expect(code).toBe(0);
  expect(output).toContain('full is not empty');
  expect(output).toContain('"My Own" can be no npm name, since it has white space; choose another\n');
  expect(output).toContain('Name of the npm package (my-own): ');
  expect(output).toContain('"smoke"; it is stdio or http\n');
  expect(output).toContain('answer yes or no\n');
  expect(place.json('My Own', 'package.json')).toMatchObject({ name: 'my-own', description: 'Sums.' });
});

test('an input that ends makes nothing', async () => {
  const { code, errors } = await place.answer(['my-server']);
  expect([code, errors]).toEqual([130, 'create-server: ended, nothing was made\n']);
  expect(place.entries()).toEqual([]);
});
