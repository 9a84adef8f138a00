import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { globalConfig, program } from './operator.ts';
import { clientOf, pairs } from './pair.ts';
import { httpRemote, silentRemote } from './serving.ts';

const served = new Served();
const pair = pairs();
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
    const outcomes = [
      await call(client, 'git_fetch', { remote: url }),
      await call(client, 'git_push', { remote: url }),
      await call(client, 'git_clone', { url, path }),
    ];
    // and as the repository has it, which no schema of ours has seen
    here.git(here.work, 'config', 'remote.origin.url', url);
    outcomes.push(await call(client, 'git_fetch'), await call(client, 'git_push'));
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
