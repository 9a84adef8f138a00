import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { isStagingName, replaceFile, sweepStaging } from '../../src/boundary.ts';
import { bundleBoundary } from './bundle.ts';
import { atOnce, containments, useTree } from './tree.ts';

describe.each(containments)('a process killed while it writes, %s', (containment) => {
  const tree = useTree();
  const scope = () => tree.scope(containment);
  const everything = () => readdirSync(tree.root, { recursive: true, encoding: 'utf8' }).sort();

  async function script(body: string): Promise<string> {
    return tree.write(
      'script.mjs',
      `import { Boundary, copyEntry, removeEntry, replaceFile } from ${JSON.stringify(await bundleBoundary(tree.top))};
      const scope = new Boundary({ roots: [{ path: ${JSON.stringify(tree.root)} }], policy: 'narrow', containment: '${containment}' }).narrowing().scope();
      ${body}`,
    );
  }

  // the second part of the content kills the process when it is asked for
  const dieHalfway = (path: string) => `
    const parts = ['half of the new content', ''];
    Object.defineProperty(parts, 1, { get: () => process.kill(process.pid, 'SIGKILL') });
    replaceFile(scope, ${JSON.stringify(path)}, parts);`;

  async function killHalfway(path: string): Promise<void> {
    const { signal } = spawnSync(process.execPath, [await script(dieHalfway(path))], { stdio: 'inherit' });
    expect(signal).toBe('SIGKILL');
  }

  test('leaves the old content, and the next start removes what waited', async () => {
    tree.write('root/a/f', 'old');
    await killHalfway('a/f');
    expect(everything().filter((name) => name.endsWith('.tmp'))).toHaveLength(1);
    sweepStaging(scope());
    expect([everything(), readFileSync(join(tree.root, 'a/f'), 'utf8')]).toEqual([['a', 'a/f'], 'old']);
  });

  test('leaves nothing after the next write anywhere in the root', async () => {
    tree.write('root/a/f', 'old');
    await killHalfway('a/f');
    atOnce(() => replaceFile(scope(), 'g', 'x'));
    expect(everything()).toEqual(['a', 'a/f', 'g']);
  });

  test('where the top of the root cannot be used, leaves nothing after the next write in the same folder', async () => {
    tree.write('root/a/f', 'old');
    tree.write('root/.rootbound-staging', 'a file is in the way');
    await killHalfway('a/f');
    const left = readdirSync(join(tree.root, 'a'));
    expect([left.length, left.filter(isStagingName).length]).toEqual([2, 1]);
    atOnce(() => replaceFile(scope(), 'a/g', 'x'));
    expect(everything()).toEqual(['.rootbound-staging', 'a', 'a/f', 'a/g']);
  });

  test('what a living process or another machine is writing stays', () => {
    const staging = join(tree.root, '.rootbound-staging');
    mkdirSync(staging, { mode: 0o700 });
    const random = 'a'.repeat(24);
    const names = [`.rootbound-elsewhere-1-${random}.tmp`, 'notes.txt', `.rootbound-x-1-${random}.tmpx`];
    for (const name of names) writeFileSync(join(staging, name), 'x');
    sweepStaging(scope());
    atOnce(() => replaceFile(scope(), 'f', 'x'));
    expect(readdirSync(staging).sort()).toEqual(names.sort());
  });

  test.each([
    ['copies', "copyEntry(scope, 'a', 'b', { progress })", ['a', 'a/1', 'a/1/f', 'a/2', 'a/2/f']],
    ['deletes', "removeEntry(scope, 'a', { recursive: true, progress })", []],
  ])(
    'a folder which it %s leaves what waited to the next start, which removes it',
    async (_what, work, rest) => {
      for (const name of ['a/1/f', 'a/2/f']) tree.write(`root/${name}`, 'x');
      const file = await script(`
      const progress = (done) => done === 2 && process.kill(process.pid, 'SIGKILL');
      await ${work};`);
      expect(spawnSync(process.execPath, [file], { stdio: 'inherit' }).signal).toBe('SIGKILL');
      expect(everything().filter((name) => name.includes('.tmp')).length).toBeGreaterThan(1);
      sweepStaging(scope());
      await expect.poll(everything, { timeout: 120_000 }).toEqual(rest);
    },
  );

  test('a read-only root is not swept', async () => {
    await killHalfway('f');
    const before = everything();
    sweepStaging(tree.scope(containment, 'root:ro'));
    expect(everything()).toEqual(before);
  });

  test('at any moment, leaves the old or the new content whole', async () => {
    const size = 1_000_000;
    tree.write('root/f', 'a'.repeat(size));
    const file = await script(`
      const contents = ['a', 'b'].map((letter) => letter.repeat(${size}));
      for (let turn = 0; ; turn++) {
        replaceFile(scope, 'f', contents[turn % 2]);
        if (turn === 3) process.stdout.write('writing');
        if (turn % 50 === 4) await new Promise(setImmediate);
      }`);
    for (let round = 0; round < (full ? 8 : 2); round++) {
      const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      const content = readFileSync(join(tree.root, 'f'), 'utf8');
      expect([content.length, new Set(content).size]).toEqual([size, 1]);
    }
    sweepStaging(scope());
    expect(everything()).toEqual(['f']);
  });
});

describe.runIf(process.getuid?.() === 0)('a staging folder of someone else', () => {
  const tree = useTree();

  test('is not used, since they could read and exchange what waits there', () => {
    const staging = join(tree.root, '.rootbound-staging');
    mkdirSync(staging, { mode: 0o777 });
    execFileSync('chown', ['1234', staging]);
    atOnce(() => replaceFile(tree.scope('kernel'), 'f', 'x'));
    expect([existsSync(staging), readFileSync(join(tree.root, 'f'), 'utf8')]).toEqual([true, 'x']);
  });
});
