import { chmodSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  test('times and permissions are set; omitted ones stay', async () => {
    chmodSync(scene.put('a.sh', 'x'), 0o640);
    const client = await scene.client({ revision });
    const set = (args: object) => call(client, 'set_file_attributes', { path: 'a.sh', ...args });
    expect((await set({ modified: '2020-02-02T02:02:02.5Z' })).text).toMatch(
      /^set a\.sh, modified 2020-02-02T02:02:02\.500Z, mode 640, etag \S+$/,
    );
    expect((await set({ mode: '755' })).failed).toBe(false);
    const { mode, mtimeMs } = statSync(scene.at('a.sh'));
    expect([mode & 0o7777, mtimeMs]).toEqual([0o755, Date.parse('2020-02-02T02:02:02.500Z')]);
    await set({ modified: 'now' });
    expect(statSync(scene.at('a.sh')).mtimeMs).toBeGreaterThan(mtimeMs);
  });

  test('times are UTC unless they have an offset', async () => {
    scene.put('a');
    const client = await scene.client({ revision });
    for (const [modified, utc] of [
      ['2020-02-02', '2020-02-02T00:00:00.000Z'],
      ['2020-02-02T10:00', '2020-02-02T10:00:00.000Z'],
      ['2020-02-02 10:00:00', '2020-02-02T10:00:00.000Z'],
      ['2020-02-02T10:00:00+02:00', '2020-02-02T08:00:00.000Z'],
    ] as const) {
      await call(client, 'set_file_attributes', { path: 'a', modified });
      expect([modified, statSync(scene.at('a')).mtime.toISOString()]).toEqual([modified, utc]);
    }
  });

  test('an empty file is created only with create', async () => {
    const client = await scene.client({ revision });
    const missing = await call(client, 'set_file_attributes', { path: 'new', modified: 'now' });
    expect([missing.code, scene.names()]).toEqual(['not-found', []]);
    expect((await call(client, 'set_file_attributes', { path: 'new', create: true })).text).toMatch(
      /^created new, /,
    );
    expect([scene.bytes('new').length, scene.names()]).toEqual([0, ['new']]);
  });

  test('invalid times, invalid permissions and a call without attributes are refused with one line', async () => {
    scene.put('a');
    const before = statSync(scene.at('a')).mode;
    const client = await scene.client({ revision });
    for (const args of [
      {},
      { modified: 'yesterday' },
      { modified: '2020-13-45' },
      { accessed: '12:00' },
      { mode: '4755' },
      { mode: '0o644' },
      { mode: '9' },
      { mode: 'rwxr-xr-x' },
    ]) {
      const { code, text } = await call(client, 'set_file_attributes', { path: 'a', ...args });
      expect([args, code, text.includes('\n')]).toEqual([args, 'invalid-arguments', false]);
    }
    expect(statSync(scene.at('a')).mode).toBe(before);
  });
});

whereStructured((revision) => {
  test('the structured half has all present attributes', async () => {
    scene.put('a', 'x');
    const client = await scene.client({ revision });
    const args = { path: 'a', modified: '2020-01-01', accessed: '2021-01-01', mode: '600' };
    const { facts } = await call(client, 'set_file_attributes', args);
    expect(facts).toEqual({
      path: 'a',
      created: false,
      modified: '2020-01-01T00:00:00.000Z',
      accessed: '2021-01-01T00:00:00.000Z',
      mode: '600',
      etag: (await call(client, 'get_file_info', { path: 'a' })).facts.etag,
    });
    expect((await call(client, 'set_file_attributes', { ...args, ifMatch: 'other' })).code).toBe('changed');
  });
});
