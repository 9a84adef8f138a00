import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { clientOf, pairs } from './pair.ts';
import { httpRemote, silentRemote } from './serving.ts';

const served = new Served();
const pair = pairs();

test('a password that nobody can be asked for ends the call, and the helper of the operator gives one', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared, { credentials: 'ann:hunter2' });
  const client = await clientOf(served, here, `${address}/bare.git`);
  for (const tool of ['git_fetch', 'git_push', 'git_pull']) {
    expect((await call(client, tool)).code, tool).toBe('auth');
  }
  // a remote that has its own secret is told without it
  const open = address.replace('http://', 'http://ann:hunter2@');
  const other = await clientOf(served, here, `${open}/bare.git`);
  const { facts, text } = await call(other, 'git_fetch');
  expect([facts.url, text.includes('hunter2')]).toEqual([`${address}/bare.git`, false]);
  expect(asked.at(-1)).toMatch(/ ann$/);
});

test('a credential helper of the repository is not asked', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared, { credentials: 'ann:hunter2' });
  const helper = `!echo username=ann; echo password=hunter2; touch ${here.work}/fired`;
  here.git(here.work, 'config', 'credential.helper', helper);
  const client = await clientOf(served, here, `${address}/bare.git`);
  expect((await call(client, 'git_fetch')).code).toBe('auth');
  expect([existsSync(join(here.work, 'fired')), asked.some((line) => line.endsWith(' ann'))]).toEqual([
    false,
    false,
  ]);
});

test.each(['git_fetch', 'git_push', 'git_pull'])(
  '%s on a silent server times out, and may be repeated',
  async (tool) => {
    const here = pair();
    const { address, left } = await silentRemote();
    const client = await clientOf(served, here, `${address}/bare.git`, { transferLimits: { idle: 100 } });
    const { code, result } = await call(client, tool);
    expect([code, result._meta?.failure]).toEqual(['timeout', expect.objectContaining({ retryable: true })]);
    await left;
  },
);

test.each([
  ['git_fetch', {}],
  ['git_push', {}],
  ['git_clone', { path: 'new' }],
])('a cancelled %s lets go of the server', async (tool, args: Record<string, string>) => {
  const here = pair();
  const { address, met, left } = await silentRemote('http');
  const client = await clientOf(served, here, `${address}/bare.git`);
  const cancelling = new AbortController();
  const path = join(here.work, 'new');
  const given = tool === 'git_clone' ? { ...args, path, url: `${address}/bare.git` } : args;
  const calling = call(client, tool, given, { signal: cancelling.signal });
  const outcome = expect(calling).rejects.toThrow();
  await met;
  cancelling.abort();
  await outcome;
  await left;
});

test('a connection that is cut is told as such, and of a push that nobody knows what was taken', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared, {
    instead: (request, response) => {
      if (request.method !== 'POST') return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      response.write('0008NAK\n', () => request.socket.destroy());
      return true;
    },
  });
  here.commitThere('two');
  here.commitHere('three');
  const client = await clientOf(served, here, `${address}/bare.git`);
  const fetched = await call(client, 'git_fetch');
  expect([fetched.code, fetched.result._meta?.failure]).toEqual([
    'network',
    expect.objectContaining({ retryable: true }),
  ]);
  const pushed = await call(client, 'git_push', { refs: ['main:other'] });
  expect([pushed.code, pushed.text]).toEqual([
    'network',
    expect.stringContaining('what the other repository took is unknown'),
  ]);
});

test('a failed clone leaves nothing behind, neither a new folder nor things in an old one', async () => {
  const here = pair();
  const { address } = await silentRemote();
  const url = `${address}/bare.git`;
  // killed before it can clean up
  const client = await clientOf(served, here, url, { transferLimits: { idle: 100, grace: 0 } });
  const before = readdirSync(here.work);
  const made = await call(client, 'git_clone', { url, path: join(here.work, 'new') });
  expect([made.code, made.text]).toEqual(['timeout', expect.stringContaining('nothing of it is left')]);
  expect(readdirSync(here.work)).toEqual(before);
  writeFileSync(join(here.work, 'full'), '');
  expect((await call(client, 'git_clone', { url, path: here.work })).code).toBe('exists');
});

test('nothing is reached by a protocol that the operator does not allow', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared);
  here.git(here.work, 'remote', 'set-url', 'origin', `${address}/bare.git`);
  const client = await served.client([here.work]);
  for (const remote of [
    'origin',
    `${address}/x`,
    '../../shared/bare.git',
    'git://127.0.0.1/x',
    'ftp://127.0.0.1/x',
  ]) {
    expect((await call(client, 'git_fetch', { remote })).failed, remote).toBe(true);
    expect((await call(client, 'git_push', { remote })).failed, remote).toBe(true);
  }
  const { code } = await call(client, 'git_clone', { url: `${address}/bare.git`, path: `${here.work}/new` });
  expect([code, asked]).toEqual(['protocol-not-allowed', []]);
});
