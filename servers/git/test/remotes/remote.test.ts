import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { allRevisions, call, Served } from '../harness.ts';
import { clientOf, pairs } from './pair.ts';
import { httpRemote } from './serving.ts';

const served = new Served();
const pair = pairs();

const urls = (here: ReturnType<typeof pair>) => here.git(here.work, 'remote', '-v').toString();

async function takeBack(client: Client, undo: unknown) {
  return call(client, 'git_remote', JSON.parse(String(undo).slice('git_remote with '.length)));
}

describe.each(allRevisions)('git_remote at %s', (revision) => {
  test('adds a remote and tells all', async () => {
    const here = pair();
    const client = await clientOf(served, here, 'https://host.invalid/one.git', { revision });
    const args = { action: 'add', name: 'fork', url: 'ssh://git@host.invalid/two.git' };
    const { text, failed } = await call(client, 'git_remote', args);
    expect([failed, text]).toEqual([
      false,
      'origin\thttps://host.invalid/one.git\nfork\tssh://git@host.invalid/two.git',
    ]);
  });
});

test('what is added, renamed or led elsewhere is taken back by what its undo says', async () => {
  const here = pair();
  const client = await clientOf(served, here, 'https://host.invalid/one.git');
  const before = urls(here);
  for (const args of [
    { action: 'add', name: 'fork', url: 'git@host.invalid:path/two.git' },
    { action: 'set_url', name: 'origin', url: 'https://host.invalid/three.git' },
    { action: 'rename', name: 'origin', new_name: 'upstream' },
  ]) {
    const { facts } = await call(client, 'git_remote', args);
    expect(urls(here)).not.toBe(before);
    expect((await takeBack(client, facts.undo)).failed).toBe(false);
    expect(urls(here)).toBe(before);
  }
  const removed = await call(client, 'git_remote', { action: 'remove', name: 'origin' });
  expect([urls(here), removed.facts.undo]).toEqual(['', undefined]);
});

test.each([
  [{ action: 'add', name: '--mirror', url: 'https://host.invalid/x' }, 'invalid-remote'],
  [{ action: 'add', name: 'x', url: '--upload-pack=x' }, 'invalid-url'],
  [{ action: 'add', name: 'x', url: 'ext::sh -c id' }, 'invalid-url'],
  [{ action: 'add', name: 'x', url: 'https://ann:hunter2@host.invalid/x' }, 'invalid-url'],
  [{ action: 'add', name: 'origin', url: 'https://host.invalid/x' }, 'exists'],
  [{ action: 'rename', name: 'nothing', new_name: 'x' }, 'unknown-remote'],
  [{ action: 'rename', name: 'origin' }, 'invalid-arguments'],
])('%j is refused', async (args, code) => {
  const here = pair();
  const client = await clientOf(served, here, 'https://host.invalid/one.git');
  const before = urls(here);
  expect((await call(client, 'git_remote', args)).code).toBe(code);
  expect(urls(here)).toBe(before);
});

test('an untrusted hook that git would run in spite of all keeps a remote from being removed', async () => {
  const here = pair();
  const client = await clientOf(served, here, 'https://host.invalid/one.git');
  const hook = here.write(
    `${here.work.slice(here.folder.length + 1)}/.git/hooks/reference-transaction`,
    `#!/bin/sh\ntouch '${join(here.work, 'fired')}'\n`,
  );
  chmodSync(hook, 0o755);
  expect((await call(client, 'git_remote', { action: 'remove', name: 'origin' })).code).toBe('unsupported');
});

test('what another repository has is listed without fetching', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const two = here.commitThere('two');
  const { facts } = await call(client, 'git_remote', { action: 'list_refs', name: 'origin' });
  expect(facts).toEqual({
    repository: here.work,
    url: `${address}/bare.git`,
    refs: [
      { ref: 'refs/heads/main', oid: two },
      { ref: 'refs/heads/side', oid: here.idOf(here.bare, 'side') },
    ],
  });
});
