import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { full } from '../extent.ts';
import { canMount } from './mounts.ts';
import { call, type Outcome, World } from './world.ts';

const ROUNDS = full ? 80 : 12;
const STABLE = 150;

describe.runIf(process.platform === 'linux')('blocking files', () => {
  const world = new World();

  test('such as eight pipes are refused by every tool, and other calls are answered', async () => {
    world.put('f', 'still here');
    const pipes = Array.from({ length: 8 }, (_none, n) => `pipes/${n}`);
    mkdirSync(world.at('pipes'));
    execFileSync(
      'mkfifo',
      pipes.map((name) => world.at(name)),
    );
    const client = await world.start({ args: ['--allow-delete', world.root] });
    const edits = [{ oldText: 'a', newText: 'b' }];
    const tools: [string, (path: string) => Record<string, unknown>][] = [
      ['read_text_file', (path) => ({ path })],
      ['read_media_file', (path) => ({ path })],
      ['edit_file', (path) => ({ path, edits })],
      ['write_file', (path) => ({ path, content: 'x' })],
      ['write_file', (path) => ({ path, content: 'x', append: true })],
      ['copy_file', (source) => ({ source, destination: `copy-of-${source.slice(6)}` })],
      ['set_file_attributes', (path) => ({ path, mode: '644' })],
      ['search_content', (path) => ({ path, pattern: 'x' })],
    ];
    const before = world.all();
    const refused = await Promise.all(
      tools.flatMap(([tool, args]) => pipes.map((path) => call(client, tool, args(path)))),
    );
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['not-a-file']));
    const several = await call(client, 'read_multiple_files', { paths: [...pipes, 'f'] });
    expect(several.facts.files).toMatchObject([
      ...pipes.map(() => ({ error: expect.any(String) })),
      { text: 'still here' },
    ]);
    const looks = await Promise.all([
      call(client, 'read_text_file', { path: 'f' }),
      call(client, 'list_directory', { path: 'pipes', details: true }),
      call(client, 'directory_tree', { path: '.' }),
      call(client, 'search_content', { path: '.', pattern: 'still' }),
      ...pipes.map((path) => call(client, 'get_file_info', { path })),
    ]);
    expect(new Set(looks.map(({ code }) => code))).toEqual(new Set(['done']));
    expect(world.all()).toEqual(before);
    const copied = await call(client, 'copy_file', { source: 'pipes', destination: 'copy' });
    expect(copied).toMatchObject({ code: 'done', facts: { entries: 1, skipped: 8 } });
    const removed = await call(client, 'delete_file', { path: 'pipes', recursive: true });
    expect(removed).toMatchObject({ code: 'done', facts: { entries: 9 } });
  });

  // a file system that stops answering needs FUSE
  if (existsSync('/dev/fuse') && canMount() && process.getuid?.() === 0)
    test('of a dead mount block calls only while it is mounted', async () => {
      const mounts = await world.mounts();
      world.put('f', 'still here');
      mkdirSync(world.at('mount/dead'), { recursive: true });
      const options = 'fd=3,rootmode=40000,user_id=0,group_id=0';
      const script = `exec 3<>/dev/fuse; mount -i -t fuse -o ${options} none "$0" && echo dead; exec cat`;
      const [enter = '', ...words] = mounts.entering;
      const holder = spawn(enter, [...words, 'sh', '-c', script, world.at('mount/dead')], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await once(holder.stdout, 'data');
      const client = await world.start();
      expect(await call(client, 'read_text_file', { path: 'f' })).toMatchObject({ text: 'still here' });
      expect(await call(client, 'write_file', { path: 'f', content: 'new' })).toMatchObject({ code: 'done' });
      const waiting = [
        call(client, 'read_text_file', { path: 'mount/dead/f' }),
        call(client, 'list_directory', { path: 'mount', details: true }),
        call(client, 'read_text_file', { path: 'f' }),
      ];
      holder.kill('SIGKILL');
      const outcomes = await Promise.all(waiting);
      expect(outcomes.at(-1)).toMatchObject({ code: 'done', text: 'new' });
      expect(await call(client, 'search_files', { path: '.', pattern: 'f' })).toMatchObject({ code: 'done' });
    });
});

describe('a folder that changes', () => {
  const world = new World();

  /** Creates, changes, renames and deletes files beside the stable ones until it is stopped. */
  async function disturb(folder: string, stopped: () => boolean): Promise<void> {
    for (let n = 0; !stopped(); n++) {
      try {
        writeFileSync(join(folder, `come-${n % 40}`), 'come '.repeat(n % 500));
        const sub = join(folder, `sub-${n % 7}`);
        // the folder itself must not be created again
        if (!existsSync(sub)) mkdirSync(sub);
        writeFileSync(join(sub, `in-${n % 5}`), 'in');
        renameSync(join(folder, `come-${n % 40}`), join(folder, `came-${n % 9}`));
        rmSync(join(folder, `sub-${(n + 3) % 7}`), { recursive: true, force: true });
      } catch {
        // the folder was deleted
      }
      await turn();
    }
  }

  function fill(name: string): void {
    for (let n = 0; n < STABLE; n++) world.put(`${name}/stable-${n}`, `stable ${n}`);
  }

  test('while it is listed, searched and copied: stable files are always in the result, and copies are complete', async () => {
    fill('busy');
    const client = await world.start();
    let stop = false;
    const disturbing = disturb(world.at('busy'), () => stop);
    const stable = (texts: readonly string[]): number =>
      texts.filter((text) => /(?:^|\/)stable-\d+$/.test(text)).length;
    const paths = ({ facts }: Outcome, list: string): string[] =>
      (facts[list] as { name?: string; path?: string }[]).map(({ name, path }) => name ?? path ?? '');
    for (let round = 0; round < ROUNDS; round++) {
      const [names, unsorted, details, tree, files, lines, copied] = await Promise.all([
        call(client, 'list_directory', { path: 'busy', limit: 2000 }),
        call(client, 'list_directory', { path: 'busy', limit: 2000, sort: 'none' }),
        call(client, 'list_directory', { path: 'busy', limit: 2000, details: true, sort: 'modified' }),
        call(client, 'directory_tree', { path: 'busy', limit: 2000 }),
        call(client, 'search_files', { path: 'busy', pattern: 'stable', limit: 2000 }),
        call(client, 'search_content', { path: 'busy', pattern: 'stable ', limit: 2000, output: 'files' }),
        call(client, 'copy_file', { source: 'busy', destination: `copy-${round}` }),
      ] as const);
      for (const outcome of [names, unsorted, details, tree])
        expect([outcome.code, stable(paths(outcome, 'entries'))]).toEqual(['done', STABLE]);
      expect(stable(paths(files, 'matches'))).toBe(STABLE);
      expect(stable(paths(lines, 'files'))).toBe(STABLE);
      if (copied.code === 'done') {
        for (let n = 0; n < STABLE; n++)
          expect(readFileSync(world.at(`copy-${round}/stable-${n}`), 'utf8')).toBe(`stable ${n}`);
      } else {
        expect([copied.code, existsSync(world.at(`copy-${round}`))]).toEqual(['changed', false]);
      }
      rmSync(world.at(`copy-${round}`), { recursive: true, force: true });
    }
    stop = true;
    await disturbing;
    expect(readdirSync(world.root)).toEqual(['busy']);
  });

  test('while it is deleted is deleted completely, or stays with the rest', async () => {
    const client = await world.start({ args: ['--allow-delete', world.root] });
    for (let round = 0; round < ROUNDS; round++) {
      const name = `doomed-${round}`;
      fill(name);
      let stop = false;
      world.put(`${name}/deep/f`);
      const disturbing = disturb(world.at(round % 2 === 0 ? `${name}/deep` : name), () => stop);
      const { code, text } = await call(client, 'delete_file', { path: name, recursive: true });
      stop = true;
      await disturbing;
      expect(['done', 'changed']).toContain(code);
      expect([code, existsSync(world.at(name))]).toEqual([code, code !== 'done']);
      rmSync(world.at(name), { recursive: true, force: true });
      // if another entry took its name, the rest stays in the staging folder until the next start, and the error says so
      if (text.includes('the rest is out of sight'))
        rmSync(world.at('.rootbound-staging'), { recursive: true });
    }
    expect(world.all()).toEqual([]);
  });
});
