import { existsSync, mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Witness, witness } from '../run/fake.ts';
import { cleanGit } from '../scratch.ts';
import { program } from './operator.ts';
import { clientOf, type Pair, pairs } from './pair.ts';
import { httpRemote, silentRemote } from './serving.ts';

const served = new Served();
const pair = pairs();

/** The git of this machine, seen where it is asked for one verb. */
function witnessedGit(here: Pair, verb: string): Witness {
  const seen = witness(here.shared);
  program(here, 'git', `[ "$1" = ${verb} ] && { ${seen.hello}; }\nexec '${cleanGit().path}' "$@"`);
  return seen;
}

/** Resolves when a folder that is there is no longer. */
function removal(path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), (_, name) => {
      if (name === basename(path) && !existsSync(path)) resolve();
    });
    onTestFinished(() => watcher.close());
  });
}

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

test.each(['fetch', 'push', 'clone'])(
  'a cancelled %s that waits for a silent server leaves no process, and of a clone no folder',
  async (verb) => {
    const here = pair();
    const { begun, gone } = witnessedGit(here, verb);
    const { address, met } = await silentRemote('http');
    const client = await clientOf(served, here, `${address}/bare.git`);
    const cancelling = new AbortController();
    const path = join(here.work, 'new');
    const args = verb === 'clone' ? { path, url: `${address}/bare.git` } : {};
    const calling = call(client, `git_${verb}`, args, { signal: cancelling.signal });
    const outcome = expect(calling).rejects.toThrow();
    await Promise.all([begun, met]);
    const cleared = verb === 'clone' ? removal(path) : undefined;
    cancelling.abort();
    await Promise.all([outcome, gone, cleared]);
    expect(readdirSync(here.work).sort()).toEqual(['.git', 'file.txt']);
  },
);

test('an ssh that does not end when it is asked to is killed with the fetch that has started it', async () => {
  const here = pair();
  const { hello, begun, gone } = witness(here.shared);
  program(here, 'ssh', `${hello}\ntrap '' TERM\nwhile :; do sleep 1000; done`);
  const client = await clientOf(served, here, 'ssh://host.invalid/bare.git', {
    transferLimits: { grace: 30 },
  });
  const cancelling = new AbortController();
  const outcome = expect(call(client, 'git_fetch', {}, { signal: cancelling.signal })).rejects.toThrow();
  await begun;
  cancelling.abort();
  await Promise.all([outcome, gone]);
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
  const old = join(here.work, 'old');
  mkdirSync(old);
  expect((await call(client, 'git_clone', { url, path: old })).text).toContain('nothing of it is left');
  expect(readdirSync(old)).toEqual([]);
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
