import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Change, Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { canMount } from './mounts.ts';
import { call, messageOf, newest, until, World } from './world.ts';

interface Unplugging {
  /** removes the root */
  out(): void;
  /** restores it, with `f` in it */
  back(): void;
  /** the allowed roots meanwhile */
  readonly allowed: 'nothing' | 'the place';
  /** the outcome of a write meanwhile */
  readonly writing: string;
}

const world = new World();
const away = (): string => join(world.top, 'away');
const renewed = (): void => {
  mkdirSync(world.root);
  world.put('f', 'again');
};
const putBack = (): void => {
  renameSync(away(), world.root);
  writeFileSync(world.at('f'), 'again');
};
const ways: Record<string, Unplugging> = {
  removed: {
    out: () => rmSync(world.root, { recursive: true }),
    back: renewed,
    allowed: 'nothing',
    writing: 'no-roots',
  },
  'renamed away': {
    out: () => renameSync(world.root, away()),
    back: putBack,
    allowed: 'nothing',
    writing: 'no-roots',
  },
  'replaced by another folder': {
    out() {
      renameSync(world.root, away());
      mkdirSync(world.root);
    },
    back() {
      rmSync(world.root, { recursive: true });
      putBack();
    },
    allowed: 'the place',
    writing: 'done',
  },
  'replaced by a file': {
    out() {
      renameSync(world.root, away());
      writeFileSync(world.root, 'a file');
    },
    back() {
      rmSync(world.root);
      putBack();
    },
    allowed: 'the place',
    writing: 'not-a-directory',
  },
};

/** The notifications of a client about a file and about the list of resources. */
class Heard {
  readonly #seen: Change[] = [];
  readonly note = (change: Change): void => void this.#seen.push(change);

  count(kind: Change['kind']): number {
    return this.#seen.filter((change) => change.kind === kind).length;
  }

  /** Runs `work`, and resolves when a change of each kind was notified. */
  async of(work: () => unknown, ...kinds: Change['kind'][]): Promise<void> {
    const before = kinds.map((kind) => this.count(kind));
    await work();
    await until(
      () => kinds.every((kind, n) => this.count(kind) > before[n]!),
      (changed) => changed,
    );
  }
}

async function listen(client: Client): Promise<Heard> {
  const heard = new Heard();
  await client.onListChanged('resources', () => heard.note({ kind: 'list', list: 'resources' }));
  await client.listResources();
  await client.subscribe(pathToFileURL(join(world.root, 'f')).href, heard.note);
  return heard;
}

const allowed = async (client: Client): Promise<unknown[]> => {
  const { facts } = await call(client, 'list_allowed_directories');
  return (facts.roots as { path: string }[]).map(({ path }) => path); // by its output schema
};

describe.each([newest, '2025-11-25'] as const)('in %s', (revision) => {
  describe.runIf(process.platform === 'linux')('a root that is', () => {
    test.each(Object.entries(ways))(
      '%s serves no file meanwhile, is notified, and is served again afterwards',
      async (_way, { out, back, allowed: rest, writing }) => {
        world.put('f', 'old');
        const client = await world.start({ revision });
        const heard = await listen(client);
        await heard.of(out, 'list', 'resource');
        expect(await allowed(client)).toEqual(rest === 'nothing' ? [] : [world.root]);
        for (const path of [
          'f',
          join(world.root, 'f'),
          join(away(), 'f'),
          'secret',
          join(world.outside, 'secret'),
        ])
          expect([path, await call(client, 'read_text_file', { path })]).toMatchObject([
            path,
            { code: rest === 'nothing' ? 'no-roots' : 'not-found' },
          ]);
        const write = async (): Promise<void> =>
          expect(
            await call(client, 'write_file', { path: join(world.root, 'other'), content: 'x' }),
          ).toMatchObject({ code: writing });
        await heard.of(write, ...(writing === 'done' ? (['list'] as const) : []));
        await heard.of(back, 'list', 'resource');
        expect(await allowed(client)).toEqual([world.root]);
        expect(messageOf(await call(client, 'read_text_file', { path: 'f' }))).toBe('done: again');
        await heard.of(() => writeFileSync(world.at('f'), 'changed'), 'resource');
        await heard.of(() => call(client, 'write_file', { path: 'f', content: 'written' }), 'resource');
      },
    );

    test('nested and replaced by a link is not followed to outside, and is served again afterwards', async () => {
      world.put('inner/f', 'old');
      const inner = join(world.root, 'inner');
      const client = await world.start({ revision, args: [`${world.root}:ro`, inner] });
      await call(client, 'list_allowed_directories');
      renameSync(inner, join(world.root, 'kept'));
      symlinkSync(world.outside, inner);
      expect(await allowed(client)).toEqual([world.root]);
      for (const path of ['inner/secret', join(inner, 'secret'), 'secret'])
        expect([path, await call(client, 'read_text_file', { path })]).toMatchObject([
          path,
          { code: 'not-found' },
        ]);
      expect(await call(client, 'write_file', { path: join(inner, 'new'), content: 'x' })).toMatchObject({
        code: 'not-found',
      });
      rmSync(inner);
      renameSync(join(world.root, 'kept'), inner);
      expect(await allowed(client)).toEqual([world.root, inner]);
      expect(await call(client, 'write_file', { path: join(inner, 'new'), content: 'x' })).toMatchObject({
        code: 'done',
      });
    });
  });

  describe.runIf(canMount())('a root whose disk', () => {
    test('is unplugged serves the empty folder, and the disk again afterwards', async () => {
      const mounts = await world.mounts();
      const plug = (content: string): void => {
        mounts.mountMemory(world.root, 'size=1m');
        world.put('f', content);
      };
      plug('old');
      const client = await world.start({ revision });
      const heard = await listen(client);
      const unplug = async (): Promise<void> => {
        mounts.run('umount', '-l', world.root);
        expect(await call(client, 'read_text_file', { path: 'f' })).toMatchObject({ code: 'not-found' });
      };
      await heard.of(unplug, 'list', 'resource');
      expect(await allowed(client)).toEqual([world.root]);
      expect(messageOf(await call(client, 'list_directory', { path: '.' }))).toBe('done: [no entries]');
      const replug = async (): Promise<void> => {
        plug('again');
        expect(messageOf(await call(client, 'read_text_file', { path: 'f' }))).toBe('done: again');
      };
      // a mount causes no event; the call detects it
      await heard.of(replug, 'list', 'resource');
      await heard.of(() => writeFileSync(world.at('f'), 'changed'), 'resource');
      await heard.of(() => call(client, 'write_file', { path: 'f', content: 'written' }), 'resource');
    });
  });
});
