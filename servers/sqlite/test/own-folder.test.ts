import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOwnFolder, removeOwnFolder } from '@rootbound/kit/boundary';
import { expect, test } from 'vitest';

/** A process id above the maximum of systems that limit them. */
const NO_PROCESS = 4_194_305;

test('the folder of a killed server is removed after a day, that of a running one is not', () => {
  const left = join(tmpdir(), `rootbound-sqlite-${NO_PROCESS}-abcdef`);
  const young = join(tmpdir(), `rootbound-sqlite-${NO_PROCESS}-ghijkl`);
  const used = join(tmpdir(), `rootbound-sqlite-${process.ppid}-abcdef`);
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const folder of [left, young, used]) mkdirSync(folder, { recursive: true });
  for (const folder of [left, used]) utimesSync(folder, longAgo, longAgo);
  try {
    removeOwnFolder(makeOwnFolder('rootbound-sqlite'));
    expect([left, young, used].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  } finally {
    for (const folder of [left, young, used]) rmSync(folder, { recursive: true, force: true });
  }
});
