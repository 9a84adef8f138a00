import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { bundleBoundary } from './bundle.ts';
import { useTree } from './tree.ts';

const ROUNDS = 400;

/** Moves one file after the other, each at the same moment as the other mover, and tells what came of each. */
const mover = `
  const { parentPort, workerData } = await import('node:worker_threads');
  const { boundary, root, own, arrived, rounds } = workerData;
  const { Boundary, moveEntry } = await import(boundary);
  const scope = new Boundary({ roots: [{ path: root }], policy: 'narrow', containment: 'kernel' }).narrowing().scope();
  const outcomes = [];
  for (let round = 0; round < rounds; round++) {
    Atomics.add(arrived, round, 1);
    while (Atomics.load(arrived, round) < 2);
    try {
      moveEntry(scope, 'file-' + round, own + round);
      outcomes.push('done');
    } catch (error) {
      outcomes.push(error.code);
    }
  }
  parentPort.postMessage(outcomes);
`;

const tree = useTree();

test('of two programs that move the same file one does, and the file has one name', async () => {
  for (let round = 0; round < ROUNDS; round++) tree.write(`root/file-${round}`, 'x');
  const boundary = await bundleBoundary(tree.top);
  const arrived = new Int32Array(new SharedArrayBuffer(4 * ROUNDS));
  const outcomes = await Promise.all(
    ['a-', 'b-'].map(async (own) => {
      const workerData = { boundary, root: tree.root, own, arrived, rounds: ROUNDS };
      const worker = new Worker(mover, { eval: true, workerData });
      const [reported] = (await once(worker, 'message')) as [string[]];
      return reported;
    }),
  );
  const pairs = Array.from({ length: ROUNDS }, (_, round) =>
    outcomes.map((reported) => reported[round]!).sort(),
  );
  expect(new Set(pairs.map(String))).toEqual(new Set(['done,not-found']));
  const names = readdirSync(tree.root).filter((name) => !name.startsWith('.'));
  expect(names.map((name) => Number(name.split('-')[1])).toSorted((a, b) => a - b)).toEqual([
    ...Array(ROUNDS).keys(),
  ]);
});
