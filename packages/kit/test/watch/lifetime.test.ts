import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import { expect, test } from 'vitest';
import { Ear, openHub, scratch, state } from './scene.ts';

test('watchers of one path share one OS watch, and it ends with the last of them', async () => {
  const file = join(scratch(), 'shared');
  writeFileSync(file, 'start');
  const { hub } = openHub();
  const first = await Ear.on(hub, file, 'file');
  const held = hub.nativeWatches;
  const second = await Ear.on(hub, file, 'any');
  expect([hub.size, hub.nativeWatches]).toEqual([1, held]);

  first.stop();
  first.stop();
  await second.hears('heard', () => writeFileSync(file, 'heard'));
  expect([first.heard, second.heard, hub.size]).toEqual([[], ['heard'], 1]);

  second.stop();
  expect([hub.size, hub.nativeWatches]).toEqual([0, 0]);
});

test('the same callback given twice is called until both are stopped', async () => {
  const file = join(scratch(), 'twice');
  writeFileSync(file, 'start');
  const { hub } = openHub();
  const ear = new Ear(file);
  const stop = await hub.watch(file, 'file', ear.note);
  await hub.watch(file, 'file', ear.note);
  stop();
  await ear.hears('still', () => writeFileSync(file, 'still'));
  expect(ear.heard).toEqual(['still']);
});

test('files cost one OS watch per directory and none each', async () => {
  const top = scratch();
  const { hub } = openHub();
  for (let n = 0; n < 200; n += 1) {
    mkdirSync(join(top, `d${n % 10}`), { recursive: true });
    writeFileSync(join(top, `d${n % 10}`, `f${n}`), '');
    await hub.watch(join(top, `d${n % 10}`, `f${n}`), 'file', () => {});
  }
  const above = top.split(/[\\/]/).length;
  expect(hub.size).toBe(200);
  expect(hub.nativeWatches).toBeGreaterThanOrEqual(10);
  expect(hub.nativeWatches).toBeLessThanOrEqual(10 + above);
});

test('nothing below or beside a watched directory takes an OS watch', async () => {
  const top = scratch();
  mkdirSync(join(top, 'watched/deep/er'), { recursive: true });
  mkdirSync(join(top, 'beside'));
  const { hub } = openHub();
  const plain = await hub.watch(join(top, 'watched/file'), 'missing', () => {});
  const held = hub.nativeWatches;
  await hub.watch(join(top, 'watched'), 'directory', () => {});
  expect(hub.nativeWatches).toBe(held);
  plain();
  expect(hub.nativeWatches).toBe(held);
});

const top = realpathSync(tmpdir());

test.runIf(dirname(dirname(top)) === dirname(top))(
  'a top-level directory is watched only until what was missing in it is a directory',
  async () => {
    const { hub } = openHub();
    const directory = scratch();
    rmSync(directory, { recursive: true });
    const ear = await Ear.on(hub, directory, 'missing');
    expect(hub.nativeWatches).toBe(1);
    await ear.hears('', () => mkdirSync(directory));
    await ear.hears('f', () => writeFileSync(join(directory, 'f'), ''));
    expect(hub.nativeWatches).toBe(1);
    await ear.hears('missing', () => rmSync(directory, { recursive: true }));
    await ear.hears('', () => mkdirSync(directory));
    expect(ear.heard.at(-1)).toBe('');
  },
);

test('one path over the cap is refused with too-many-watches, and a stop makes room', async () => {
  const top = scratch();
  const { hub } = openHub({ cap: 2 });
  await hub.watch(join(top, 'a'), 'missing', () => {});
  const stop = await hub.watch(join(top, 'b'), 'missing', () => {});
  await hub.watch(join(top, 'b'), 'missing', () => {}).then((again) => again());
  const refused = await hub.watch(join(top, 'c'), 'missing', () => {}).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ToolError);
  expect(refused).toMatchObject({ code: 'too-many-watches', message: 'too many watched paths: 2 at most' });
  stop();
  const ear = await Ear.on(hub, join(top, 'c'), 'missing');
  await ear.hears('c', () => writeFileSync(join(top, 'c'), 'c'));
  expect(hub.size).toBe(2);
});

test('what the server watches for itself takes no room of others, and counts once others watch it too', async () => {
  const top = scratch();
  const { hub } = openHub({ cap: 2 });
  const own = await hub.watch(join(top, 'a'), 'missing', () => {}, { uncounted: true });
  await hub.watch(join(top, 'b'), 'missing', () => {});
  const shared = await hub.watch(join(top, 'a'), 'missing', () => {});
  await expect(hub.watch(join(top, 'c'), 'missing', () => {})).rejects.toThrow('too many watched paths');
  await hub.watch(join(top, 'c'), 'missing', () => {}, { uncounted: true });
  own();
  await expect(hub.watch(join(top, 'd'), 'missing', () => {})).rejects.toThrow('too many watched paths');
  shared();
  await hub.watch(join(top, 'd'), 'missing', () => {});
  expect(hub.size).toBe(3);
});

test('missing paths far down are refused when their folders are too many, and a stop makes room', async () => {
  const { hub } = openHub({ cap: 100 });
  const far = (name: string): string => join(scratch(), name, 'down/'.repeat(600));
  const stop = await hub.watch(far('a'), 'any', () => {});
  await hub.watch(far('b'), 'any', () => {});
  const third = hub.watch(far('c'), 'any', () => {});
  await expect(third).rejects.toMatchObject({ code: 'too-many-watches' });
  stop();
  await hub.watch(far('c'), 'any', () => {});
  expect(hub.size).toBe(2);
});

test('the cap holds when all watches are asked for at once', async () => {
  const top = scratch();
  const { hub } = openHub({ cap: 5 });
  const asked = Array.from({ length: 20 }, (_, n) => hub.watch(join(top, `f${n}`), 'missing', () => {}));
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected');
  expect([hub.size, refused.length]).toEqual([5, 15]);
});

test('a change made right after a watch resolves is heard, also when many are asked for at once', async () => {
  const top = scratch();
  const { hub } = openHub();
  const files = Array.from({ length: 200 }, (_, n) => join(top, `d${n % 50}`, `f${n}`));
  await Promise.all(
    files.map(async (file) => {
      const ear = await Ear.on(hub, file, 'missing');
      await ear.hears('now', () => {
        mkdirSync(join(file, '..'), { recursive: true });
        writeFileSync(file, 'now');
      });
    }),
  );
  expect(files.map(state).filter((content) => content !== 'now')).toEqual([]);
});

test('a subscriber that throws is reported in one line and the others are called', async () => {
  const file = join(scratch(), 'shared');
  writeFileSync(file, 'start');
  const { hub, errors } = openHub();
  await hub.watch(file, 'file', () => {
    throw new Error('no patience');
  });
  const ear = await Ear.on(hub, file, 'file');
  await ear.hears('heard', () => writeFileSync(file, 'heard'));
  expect(errors).toEqual(['a subscriber of the watch hub threw: Error: no patience']);
});

test('a subscriber may stop and watch again while it is called', async () => {
  const file = join(scratch(), 'shared');
  writeFileSync(file, 'start');
  const { hub, errors } = openHub();
  await hub.watch(file, 'file', () => {});
  const ear = new Ear(file);
  const watchAgain = async (): Promise<void> => {
    const stop = await hub.watch(file, 'file', () => {
      stop();
      ear.note();
      again = watchAgain();
    });
  };
  let again = watchAgain();
  for (const content of ['one', 'two', 'three']) {
    await again;
    await ear.hears(content, () => writeFileSync(file, content));
  }
  expect([ear.heard, errors]).toEqual([['one', 'two', 'three'], []]);
});

test('after close nothing is held, nothing is called and nothing can be watched', async () => {
  const top = scratch();
  const { hub } = openHub();
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'FSEventWrap').length;
  writeFileSync(join(top, 'f'), '');
  const ear = await Ear.on(hub, join(top, 'f'), 'file');
  await Ear.on(hub, join(top, 'a/b/missing'), 'missing');
  rmSync(join(top, 'f'));
  await hub.close();
  ear.stop();
  const after = process.getActiveResourcesInfo().filter((kind) => kind === 'FSEventWrap').length;
  expect([hub.size, hub.nativeWatches, after, ear.heard]).toEqual([0, 0, before, []]);
  await expect(hub.watch(join(top, 'f'), 'file', () => {})).rejects.toThrow('the watch hub is closed');
});

test('a watch that is under way when the hub closes is refused and holds nothing', async () => {
  const { hub } = openHub();
  const watching = hub.watch(join(scratch(), 'f'), 'missing', () => {});
  const closing = hub.close();
  await expect(watching).rejects.toThrow('the watch hub was closed');
  await closing;
  expect([hub.size, hub.nativeWatches]).toEqual([0, 0]);
});

test('a polling hub hears writes, deletion and what appears, without an OS watch or a line of complaint', async () => {
  const top = scratch();
  const { hub, errors } = openHub({ usePolling: true });
  writeFileSync(join(top, 'f'), 'start');
  const file = await Ear.on(hub, join(top, 'f'), 'file');
  const missing = await Ear.on(hub, join(top, 'a/later'), 'missing');
  await file.hears('polled', () => writeFileSync(join(top, 'f'), 'polled'));
  await missing.hears('here', () => {
    mkdirSync(join(top, 'a'));
    writeFileSync(join(top, 'a/later'), 'here');
  });
  await file.hears('missing', () => rmSync(join(top, 'f')));
  await file.hears('back', () => writeFileSync(join(top, 'f'), 'back'));
  expect([hub.nativeWatches, errors]).toEqual([0, []]);
});
