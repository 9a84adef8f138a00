import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { all, handshake, stateless } from '../revisions.ts';
import { files } from './files.ts';
import type { Talk } from './talk.ts';
import { everything, person, tour } from './tour.ts';
import { over } from './world.ts';

const rooted = { roots: { listChanged: true } };

/** Answers the first roots/list of a handshake connection. */
async function nameRoots(talk: Talk, ...paths: string[]): Promise<void> {
  const { id } = await talk.awaitMessage('roots/list');
  talk.reply(id, { roots: paths.map((path) => ({ uri: pathToFileURL(path).href })) });
}

over(
  all,
  'roots are requested from clients that declare them only',
  async ({ open, proves, stateless: modern }) => {
    const talk = await open();
    const refused = await talk.call('where');
    const asked = talk.heard.filter(
      (message) => message.method === 'roots/list' || message.result?.inputRequests,
    );
    const rich = await open(undefined, { capabilities: everything });
    if (!modern) await nameRoots(rich, '/work');
    const { questions } = await rich.settleCall('where', {}, person);
    proves('2024-11-05/roots/server-checks-roots-capability', () => {
      expect([asked, questions.length]).toEqual([[], 1]);
      expect(modern ? refused.error.code : refused.result.isError).toEqual(modern ? -32021 : true);
    });
  },
);

over(
  handshake,
  'roots are requested again after a change, and cached in between',
  async ({ open, proves }) => {
    const { server, root, outside } = files({ roots: [], clientRoots: 'narrow' });
    writeFileSync(join(root, 'a.txt'), 'inside');
    writeFileSync(join(outside, 'b.txt'), 'outside');
    const talk = await open(server, { capabilities: rooted });
    await nameRoots(talk, root);
    const first = await talk.call('read_text_file', { path: join(root, 'a.txt') });
    await talk.call('list_directory', { path: root });
    await talk.call('list_directory', { path: root });
    const asked = () => talk.heard.filter(({ method }) => method === 'roots/list').length;
    const before = asked();
    proves('2024-11-05/roots/server-caches-roots', () => expect(before).toBe(1));
    talk.notify('notifications/roots/list_changed');
    await nameRoots(talk, outside);
    proves('2024-11-05/roots/server-refetches-after-change', () => expect(asked()).toBe(2));
    const moved = [
      await talk.call('read_text_file', { path: join(root, 'a.txt') }),
      await talk.call('read_text_file', { path: join(outside, 'b.txt') }),
    ];
    proves('2024-11-05/roots/server-handles-list-changes', () => {
      expect(first.result.isError).toBeUndefined();
      expect(moved.map(({ result }) => result.isError)).toEqual([true, undefined]);
    });
  },
);

over(all, 'every path is checked against the roots', async ({ open, proves }) => {
  const { server, root, outside } = files();
  writeFileSync(join(root, 'a.txt'), 'inside');
  writeFileSync(join(outside, 'b.txt'), 'secret');
  const talk = await open(server);
  const inside = await talk.call('read_text_file', { path: join(root, 'a.txt') });
  const paths = [
    join(outside, 'b.txt'),
    '../outside/b.txt',
    `${root}/../outside/b.txt`,
    '/etc/passwd',
    pathToFileURL(join(outside, 'b.txt')).href,
  ];
  const refused: unknown[] = [];
  for (const path of paths) refused.push((await talk.call('read_text_file', { path })).result?.isError);
  proves('2024-11-05/roots/server-stays-within-roots', () => {
    expect(inside.result.isError).toBeUndefined();
    expect(talk.lines.join()).not.toContain('secret');
  });
  proves('2024-11-05/roots/server-validates-paths-against-roots', () =>
    expect(refused).toEqual(paths.map(() => true)),
  );
});

over(all, 'a deleted root fails the call, and is served again once it exists', async ({ open, proves }) => {
  const { server, root } = files();
  writeFileSync(join(root, 'a.txt'), 'inside');
  const talk = await open(server);
  renameSync(root, `${root}-gone`);
  const gone = await talk.call('read_text_file', { path: join(root, 'a.txt') });
  renameSync(`${root}-gone`, root);
  const back = await talk.call('read_text_file', { path: join(root, 'a.txt') });
  proves('2024-11-05/roots/server-handles-unavailable-roots', () =>
    expect([gone.result?.isError, back.result?.isError]).toEqual([true, undefined]),
  );
});

over(
  stateless,
  'roots are requested inside a result, and do not extend those of the operator',
  async (world) => {
    const { heard } = await tour(world);
    const { proves } = world;
    const asked = heard.flatMap(
      ({ result }) => Object.values(result?.inputRequests ?? {}) as { method: string }[],
    );
    proves('2026-07-28/roots/roots-requested-as-input-request', () => {
      expect(asked.map(({ method }) => method)).toContain('roots/list');
      expect(heard.filter(({ method }) => method === 'roots/list')).toEqual([]);
    });
    const { server, outside } = files();
    writeFileSync(join(outside, 'b.txt'), 'secret');
    const talk = await world.open(server, { capabilities: { roots: {} } });
    const person = () => ({ roots: [{ uri: pathToFileURL(outside).href }] });
    const { answer } = await talk.settleCall('read_text_file', { path: join(outside, 'b.txt') }, person);
    proves('2026-07-28/roots/roots-are-informational', () => expect(answer.result.isError).toBe(true));
  },
);
