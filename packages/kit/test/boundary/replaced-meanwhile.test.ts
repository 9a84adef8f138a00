import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { openFile, readSmall, statEntry } from '../../src/boundary.ts';
import { containments, useTree } from './tree.ts';

/** Puts new files under the same name, one after the other, until it is told to stop. */
const replacer = `
  const { workerData } = require('node:worker_threads');
  const { renameSync, writeFileSync } = require('node:fs');
  const { path, stop, turns } = workerData;
  while (Atomics.load(stop, 0) === 0) {
    writeFileSync(path + '.new', 'x');
    renameSync(path + '.new', path);
    Atomics.add(turns, 0, 1);
    Atomics.notify(turns, 0);
  }
`;

describe.each(containments)('a file that others replace all the time, %s', (containment) => {
  const tree = useTree();
  const stop = new Int32Array(new SharedArrayBuffer(4));
  let ended: Promise<unknown>;

  async function replaceAllTheTime(): Promise<Int32Array> {
    const turns = new Int32Array(new SharedArrayBuffer(4));
    stop[0] = 0;
    const path = tree.write('root/f', 'x');
    const worker = new Worker(replacer, { eval: true, workerData: { path, stop, turns } });
    ended = once(worker, 'exit');
    await once(worker, 'online');
    Atomics.wait(turns, 0, 0);
    return turns;
  }

  afterEach(async () => {
    Atomics.store(stop, 0, 1);
    await ended;
  });

  test('is there whenever it is asked for', async () => {
    const turns = await replaceAllTheTime();
    const scope = tree.scope(containment);
    for (let looks = 0; looks < tenth(2000) || Atomics.load(turns, 0) < tenth(2000); looks++) {
      expect(readSmall(scope, 'f', 10)?.bytes.toString()).toBe('x');
      openFile(scope, 'f').close();
      expect(statEntry(scope, 'f').stat.size).toBeLessThan(2);
    }
  });
});
