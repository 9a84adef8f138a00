import { chmodSync, linkSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
/** Whether the test runs as root, which may write any file. */
const hasRights = process.getuid?.() === 0;

whereStructured((revision) => {
  test('get_file_info returns the owner and the number of hard links', async () => {
    linkSync(scene.put('a.txt', 'one'), scene.at('b.txt'));
    const client = await scene.client({ revision });
    const { facts } = await call(client, 'get_file_info', { path: 'a.txt' });
    const { uid, gid } = statSync(scene.at('a.txt'));
    expect(facts).toMatchObject({ owner: uid, group: gid, links: 2, writable: true });
  });

  test('writable combines the root, the policy and the permissions', async () => {
    const locked = scene.put('locked.txt', 'one');
    chmodSync(locked, 0o400);
    linkSync(scene.put('a.txt', 'one'), scene.at('shared.txt'));
    mkdirSync(scene.at('folder'));
    symlinkSync('a.txt', scene.at('link'));
    const writable = async (path: string, setting: object = {}) => {
      const client = await scene.client({ revision, ...setting });
      const { facts } = await call(client, 'get_file_info', { path });
      return (facts as unknown as { writable: boolean }).writable; // a field of this tool
    };
    const readOnly = { roots: [{ path: scene.root, readOnly: true }] };
    const refuse = { extra: { 'hard-links': 'refuse' } };
    expect(await writable('folder')).toBe(true);
    expect(await writable('link')).toBe(true);
    expect(await writable('shared.txt')).toBe(true);
    expect(await writable('locked.txt')).toBe(hasRights);
    for (const path of ['folder', 'link', 'shared.txt', 'locked.txt'])
      expect(await writable(path, readOnly), path).toBe(false);
    expect(await writable('shared.txt', refuse)).toBe(false);
  });
});
