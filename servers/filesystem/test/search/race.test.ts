import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { content, names, put, searchTests } from './harness.ts';

const { start, tree, open } = searchTests();
const FLIPS = tenth(20_000);
const SEARCHES = tenth(100);

// swaps the directory `flip` and an ignore file with links to the outside in a loop, and reports the count
const ATTACKER = `
  const fs = require('node:fs');
  let flips = 0;
  const round = () => {
    for (let turn = 0; turn < 50; turn++) {
      fs.renameSync('root/flip', 'aside/directory');
      fs.renameSync('aside/link', 'root/flip');
      fs.renameSync('root/flip', 'aside/link');
      fs.renameSync('aside/directory', 'root/flip');
      fs.symlinkSync('../../outside/.gitignore', 'aside/next');
      fs.renameSync('aside/next', 'root/calm/.gitignore');
      fs.linkSync('aside/rules', 'aside/next');
      fs.renameSync('aside/next', 'root/calm/.gitignore');
      flips += 4;
    }
    console.log(flips);
    setImmediate(round);
  };
  round();`;

// neither the type nor the content of an outside file may be revealed
const outside = ['STOLEN', 'a binary STOLEN\0', 'long STOLEN'.padEnd(2_000_000, '!')];

function arena(): string {
  const path = tree();
  for (let entry = 0; entry < 30; entry++) {
    put(path, `root/flip/f${entry}.txt`, 'INSIDE');
    put(path, `root/flip/d${entry % 5}/g${entry}.txt`, 'INSIDE');
    put(path, `outside/f${entry}.txt`, outside[entry] ?? 'STOLEN');
    put(path, `outside/d${entry % 5}/g${entry}.txt`, 'STOLEN');
    put(path, `outside/d${entry % 5}/secret-${entry}`, 'STOLEN');
    put(path, `root/calm/h${entry}.txt`, 'INSIDE');
  }
  mkdirSync(join(path, 'aside'));
  put(path, 'aside/rules', 'none\n');
  // these rules would exclude everything
  for (const rules of ['.gitignore', '.ignore', '.git/info/exclude']) put(path, `outside/${rules}`, '*\n');
  symlinkSync(join(path, 'outside'), join(path, 'aside/link'));
  return path;
}

function attack(path: string): { attacker: ChildProcess; flips: () => number; first: Promise<void> } {
  const attacker = spawn(process.execPath, ['-e', ATTACKER], {
    cwd: path,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let flips = 0;
  const lines = createInterface({ input: attacker.stdout! });
  const first = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      flips = Number(line);
      resolve();
    });
  });
  return { attacker, flips: () => flips, first };
}

test.runIf(process.platform === 'linux')(
  'a directory and an ignore file that flip to links to the outside leak neither names nor content nor rules',
  { timeout: 120_000 },
  async () => {
    const path = arena();
    const root = open(join(path, 'root'));
    const ignoring = { top: root, pathToRoot: '' };
    const { search } = start({ workers: 2 });
    const { attacker, flips, first } = attack(path);
    await first;
    let searches = 0;
    let inside = 0;
    let unverified = 0;
    while (flips() < FLIPS || searches++ < SEARCHES || inside === 0 || unverified === 0) {
      const texts = await search(content(root, 'E', { limit: 1000, ignoring, maxFileBytes: 1_500_000 }));
      expect(texts.matches.filter(({ text }) => text !== 'INSIDE')).toEqual([]);
      const { errors, ignored, filesSkippedBinary, filesSkippedLarge, linesSplit } = texts.counts;
      expect([errors, ignored, filesSkippedBinary, filesSkippedLarge, linesSplit]).toEqual([0, 0, 0, 0, 0]);
      expect(texts.matches.filter((match) => match.path.startsWith('calm/h'))).toHaveLength(30);
      inside += texts.matches.filter((match) => match.path.startsWith('flip/')).length;
      const outcome = await search(names(root, { include: ['**/secret*'], ignoring }));
      expect(outcome.names).toEqual([]);
      // the attack succeeds against access by path
      for (let entry = 0; entry < 30; entry++) {
        if (read(join(root.path, `flip/f${entry}.txt`)) === 'STOLEN') unverified++;
      }
    }
    expect(flips()).toBeGreaterThanOrEqual(FLIPS);
    const ended = new Promise((resolve) => attacker.once('exit', resolve));
    attacker.kill();
    await ended;
  },
);

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // between two renames the entry does not exist
  }
}
