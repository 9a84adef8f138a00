import { expect, test } from 'vitest';
import { command } from '../../src/run/command.ts';
import { type Progress, parseProgress, progressReader } from '../../src/run/progress.ts';
import { run } from '../../src/run/run.ts';
import { cleanGit, placeOf, scratch } from '../scratch.ts';

test.each<[string, Progress | undefined]>([
  ['remote: Counting objects:  12% (3/25)', { stage: 'Counting objects', remote: true, done: 3, total: 25 }],
  [
    'Receiving objects: 100% (1605/1605), 1.20 MiB | 3.00 MiB/s, done.',
    { stage: 'Receiving objects', remote: false, done: 1605, total: 1605 },
  ],
  [
    'Enumerating objects: 25, done.',
    { stage: 'Enumerating objects', remote: false, done: 25, total: undefined },
  ],
  ['Updating files:   0% (0/7)', { stage: 'Updating files', remote: false, done: 0, total: 7 }],
  ["Cloning into 'x'...", undefined],
  ['fatal: x', undefined],
  ['', undefined],
])('of the line %j', (line, reported) => {
  expect(parseProgress(line)).toEqual(reported);
});

test('lines are read across chunks, and of each stage only the newest of a chunk is told', () => {
  const reported: string[] = [];
  const read = progressReader(({ stage, done }) => reported.push(`${stage} ${done}`));
  read(Buffer.from('Counting objects:  10% (1/10)\rCounting objects:  20% (2/10)\rCounting obj'));
  read(Buffer.from('ects: 100% (10/10), done.\nWriting objects:  50% (1/2)\r'));
  expect(reported).toEqual(['Counting objects 2', 'Counting objects 10', 'Writing objects 1']);
});

test('what git tells of a real change is read', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init');
  for (let index = 0; index < 20; index++) write(`file ${index}`, String(index));
  git(folder, 'add', '.');
  git(folder, 'commit', '-m', 'one');
  const reported: Progress[] = [];
  const args = ['commit-graph', 'write', '--reachable', '--progress'];
  await run(
    cleanGit(),
    { ...command('version'), args },
    {
      place: placeOf(folder),
      onStderr: progressReader((progress) => reported.push(progress)),
    },
  );
  expect(reported).toContainEqual({
    stage: 'Collecting referenced commits',
    remote: false,
    done: 1,
    total: undefined,
  });
});
