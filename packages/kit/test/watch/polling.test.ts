import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { remoteFileSystem } from '../../src/watch/network.ts';
import { Ear, openHub, scratch } from './scene.ts';

const NFS = 0x6969;
const EXT4 = 0xef53;

test.each([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xff534d42 - 2 ** 32, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
  [0x53464846, 'drvfs'],
  [0x786f4256, 'vboxsf'],
  [0x0bd00bd0, 'Lustre'],
  [0xef53, undefined],
  [0x9123683e, undefined],
  [0x58465342, undefined],
  [0x01021994, undefined],
  [0x794c7630, undefined],
  [0x2fc12fc1, undefined],
  [0, undefined],
])('the file system of number %i is %s', (type, name) => {
  expect(remoteFileSystem(type)).toBe(name);
});

describe('on a network mount', () => {
  test('files, directories and what is missing are polled, with one line, and heard', async () => {
    const top = scratch();
    const { hub, errors } = openHub({ fileSystemType: () => NFS });
    writeFileSync(join(top, 'f'), 'start');
    mkdirSync(join(top, 'work'));
    const file = await Ear.on(hub, join(top, 'f'));
    const directory = await Ear.on(hub, join(top, 'work'));
    const missing = await Ear.on(hub, join(top, 'a/later'));
    await Promise.all([
      file.hears('changed', () => writeFileSync(join(top, 'f'), 'changed')),
      directory.hears('child', () => writeFileSync(join(top, 'work/child'), '')),
      missing.hears('here', () => {
        mkdirSync(join(top, 'a'));
        writeFileSync(join(top, 'a/later'), 'here');
      }),
    ]);
    await Promise.all([
      file.hears('missing', () => rmSync(join(top, 'f'))),
      missing.hears('missing', () => rmSync(join(top, 'a'), { recursive: true })),
    ]);
    expect(hub.nativeWatches).toBe(0);
    expect(errors).toEqual([
      `${join(top, 'f')} is polled, not watched: NFS does not tell of changes made elsewhere`,
    ]);
  });

  test('only what is below it is polled, and everything else watched', async () => {
    const top = scratch();
    mkdirSync(join(top, 'mount'));
    const { hub, errors } = openHub({
      fileSystemType: (path) => (path.startsWith(join(top, 'mount')) ? NFS : EXT4),
    });
    const here = await Ear.on(hub, join(top, 'here'));
    expect(errors).toEqual([]);
    const there = await Ear.on(hub, join(top, 'mount/there'));
    expect(errors).toHaveLength(1);
    await here.hears('one', () => writeFileSync(join(top, 'here'), 'one'));
    await there.hears('two', () => writeFileSync(join(top, 'mount/there'), 'two'));
    expect(hub.nativeWatches).toBeGreaterThanOrEqual(1);
    expect(hub.nativeWatches).toBeLessThanOrEqual(dirname(top).split(/[\\/]/).length + 1);
  });

  test('a file system that cannot be asked is watched', async () => {
    const top = scratch();
    const { hub, errors } = openHub({
      fileSystemType: () => {
        throw new Error('no such call');
      },
    });
    const ear = await Ear.on(hub, join(top, 'f'));
    await ear.hears('here', () => writeFileSync(join(top, 'f'), 'here'));
    expect(errors).toEqual([]);
  });

  test('no more than 2,000 paths are polled, and a stop makes room', async () => {
    const top = scratch();
    const { hub } = openHub({ fileSystemType: () => NFS });
    const stops: (() => void)[] = [];
    for (let n = 0; n < 2000; n += 1) stops.push(await hub.watch(join(top, `f${n}`), 'missing', () => {}));
    const refused = await hub.watch(join(top, 'more'), 'missing', () => {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ToolError);
    expect(refused).toMatchObject({
      code: 'too-many-watches',
      message: 'too many polled paths: 2000 at most',
    });
    expect(hub.size).toBe(2000);
    for (const stop of stops) stop();
    const ear = await Ear.on(hub, join(top, 'more'));
    await ear.hears('more', () => writeFileSync(join(top, 'more'), 'more'));
  });
});
