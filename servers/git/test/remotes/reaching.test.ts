import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Witness, witness } from '../run/fake.ts';
import { cleanGit } from '../scratch.ts';
import { globalConfig, program } from './operator.ts';
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

test('what is asked of a silent server times out, and may be repeated', async () => {
  const here = pair();
  const { address, left } = await silentRemote();
  const client = await clientOf(served, here, `${address}/bare.git`, { transferLimits: { idle: 100 } });
  for (const tool of ['git_fetch', 'git_push', 'git_pull']) {
    const { code, result } = await call(client, tool);
    expect([code, result._meta?.failure], tool).toEqual([
      'timeout',
      expect.objectContaining({ retryable: true }),
    ]);
  }
  await left;
});

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
const credentials = 'ann:hunter2';

test('a password that nobody can be asked for ends the call, and one in an address is used and not told', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared, { credentials });
  const client = await clientOf(served, here, `${address}/bare.git`);
  for (const tool of ['git_fetch', 'git_push', 'git_pull']) {
    expect((await call(client, tool)).code, tool).toBe('auth');
  }
  const open = address.replace('http://', `http://${credentials}@`);
  const other = await clientOf(served, here, `${open}/bare.git`);
  const { facts, text } = await call(other, 'git_fetch');
  expect([facts.url, text.includes('hunter2')]).toEqual([`${address}/bare.git`, false]);
  expect(asked.at(-1)).toMatch(/ ann$/);
});

test('the credential helper of the operator is asked, and the one of the repository is not', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared, { credentials });
  const fired = join(here.work, 'fired');
  const helper = `!touch '${fired}'; echo username=eve; echo password=x`;
  here.git(here.work, 'config', 'credential.helper', helper);
  here.git(here.work, 'config', `credential.${address}.helper`, helper);
  const client = await clientOf(served, here, `${address}/bare.git`);
  expect((await call(client, 'git_fetch')).code).toBe('auth');
  globalConfig(here, { 'credential.helper': '!echo username=ann; echo password=hunter2; :' });
  const other = await clientOf(served, here, `${address}/bare.git`);
  expect((await call(other, 'git_fetch')).code).toBe(undefined);
  const path = join(here.work, 'new');
  expect((await call(other, 'git_clone', { url: `${address}/bare.git`, path })).code).toBe(undefined);
  expect([existsSync(fired), asked.some((line) => line.endsWith(' eve'))]).toEqual([false, false]);
  expect(asked.at(-1)).toMatch(/ ann$/);
});

test('ssh is the one of the operator, by PATH or by core.sshCommand, and never that of the repository', async () => {
  const here = pair();
  const record = (name: string) => `printf '%s\\n' ${name} "$@" >> '${here.shared}/argv'; exit 255`;
  const recorded = () => {
    const argv = readFileSync(join(here.shared, 'argv'), 'utf8').split('\n').slice(0, -1);
    writeFileSync(join(here.shared, 'argv'), '');
    return argv;
  };
  program(here, 'ssh', record('usual'));
  const theirs = join(here.shared, 'theirs');
  writeFileSync(theirs, `#!/bin/sh\n${record('theirs')}\n`, { mode: 0o755 });
  here.git(here.work, 'config', 'core.sshCommand', theirs);
  const url = 'ssh://git@host.invalid:2222/ab.git';
  const path = join(here.work, 'new');
  const all = ['-oBatchMode=yes', '-p', '2222', 'git@host.invalid'];
  const usual = await clientOf(served, here, url);
  for (const [tool, args, what] of [
    ['git_fetch', {}, "git-upload-pack '/ab.git'"],
    ['git_push', {}, "git-receive-pack '/ab.git'"],
    ['git_clone', { url, path }, "git-upload-pack '/ab.git'"],
  ] as const) {
    expect((await call(usual, tool, args)).failed, tool).toBe(true);
    const argv = recorded();
    expect([argv[0], argv[1], ...argv.slice(-4)]).toEqual(['usual', all[0], ...all.slice(1), what]);
  }
  globalConfig(here, { 'core.sshCommand': `${program(here, 'own-ssh', record('own'))} --mine` });
  const own = await clientOf(served, here, url);
  for (const [tool, args] of [
    ['git_fetch', {}],
    ['git_push', {}],
    ['git_clone', { url, path }],
  ] as const) {
    expect((await call(own, tool, args)).failed, tool).toBe(true);
    expect(recorded().slice(0, 2), tool).toEqual(['own', '--mine']);
  }
});

const disguised = [
  'ssh://-oProxyCommand=x/bare.git',
  'ssh://%2doProxyCommand=x/bare.git',
  'ssh://-oProxyCommand=x@host.invalid/bare.git',
  'ssh://git@-oProxyCommand=x/bare.git',
  'ssh://[-oProxyCommand=x]/bare.git',
  'ssh://host.invalid:-oProxyCommand=x/bare.git',
  '-oProxyCommand=x:bare/x.git',
  'git@-oProxyCommand=x:bare/x.git',
  '[-oProxyCommand=x]:bare/x.git',
  '[-oProxyCommand=x:22]:bare/x.git',
  'host.invalid:-oProxyCommand=x/bare.git',
];

test('no part of an address becomes an option of ssh, by whomever it is given', async () => {
  const here = pair();
  program(here, 'ssh', `printf '%s\\n' "$@" >> '${here.shared}/argv'; exit 255`);
  const client = await clientOf(served, here, 'ssh://host.invalid/bare.git');
  const path = join(here.work, 'new');
  for (const url of disguised) {
    here.git(here.work, 'config', 'remote.origin.url', url);
    const outcomes = [
      await call(client, 'git_fetch', { remote: url }),
      await call(client, 'git_clone', { url, path }),
      // as the repository has it, which no schema of ours has seen
      await call(client, 'git_fetch'),
    ];
    expect(
      outcomes.map(({ failed }) => failed),
      url,
    ).toEqual(outcomes.map(() => true));
  }
  const argv = existsSync(join(here.shared, 'argv')) ? readFileSync(join(here.shared, 'argv'), 'utf8') : '';
  expect(argv.split('\n').filter((word) => word.startsWith('-oProxy'))).toEqual([]);
});

test('a redirect leads to no other protocol, and not in the middle of a transfer, whatever the repository says', async () => {
  const here = pair();
  const other = await silentRemote('http');
  let met = false;
  void other.met.then(() => {
    met = true;
  });
  const targets = [
    `file://${here.bare}`,
    `ext::sh -c touch% ${here.work}/fired`,
    other.address.replace('http:', 'https:'),
    other.address.replace('http:', 'ftp:'),
  ];
  let at = 0;
  const { address } = await httpRemote(here.shared, {
    instead: ({ url }, response) => {
      response.writeHead(302, { location: `${targets[at]}${url!.replace('/bare.git', '')}` }).end();
      return true;
    },
  });
  here.git(here.work, 'config', 'http.followRedirects', 'true');
  const client = await clientOf(served, here, `${address}/bare.git`, {
    extra: { 'allow-protocol': ['http', 'file'] },
  });
  for (; at < targets.length; at++) expect((await call(client, 'git_fetch')).failed, targets[at]).toBe(true);
  expect([met, existsSync(join(here.work, 'fired'))]).toEqual([false, false]);
  // the first request may be sent on, and no later one
  const away = await httpRemote(here.shared);
  const middle = await httpRemote(here.shared, {
    instead: ({ method, url }, response) => {
      if (method === 'GET') return false;
      response.writeHead(302, { location: away.address + url! }).end();
      return true;
    },
  });
  const later = await clientOf(served, here, `${middle.address}/bare.git`);
  expect([(await call(later, 'git_fetch')).failed, away.asked]).toEqual([true, []]);
});

test('a host that a redirect leads to is not given the password for the first', async () => {
  const here = pair();
  const away = await httpRemote(here.shared, { credentials });
  const { address, asked } = await httpRemote(here.shared, {
    credentials,
    instead: ({ headers, url }, response) => {
      if (headers.authorization === undefined) return false;
      response.writeHead(302, { location: away.address + url! }).end();
      return true;
    },
  });
  const open = address.replace('http://', `http://${credentials}@`);
  const client = await clientOf(served, here, `${open}/bare.git`);
  expect((await call(client, 'git_fetch')).code).toBe('auth');
  expect([asked.at(-1)?.endsWith(' ann'), away.asked.length > 0]).toEqual([true, true]);
  expect(away.asked.filter((line) => line.endsWith(' ann'))).toEqual([]);
});
