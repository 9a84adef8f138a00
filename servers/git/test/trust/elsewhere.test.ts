import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { auditOf } from '../../src/repository/audit.ts';
import { readingPlace } from '../../src/repository/private-dir.ts';
import { command } from '../../src/run/command.ts';
import { type Environment, environmentOf } from '../../src/run/environment.ts';
import { cleanEnvironment, scratch } from '../scratch.ts';
import { opened } from './open-trusted.ts';

/** A repository with a remote at a web server on loopback, which is every host's proxy too. */
async function site() {
  const { folder, git } = scratch();
  const [root, home] = [join(folder, 'root'), join(folder, 'home')];
  const repository = join(root, 'repository');
  mkdirSync(repository, { recursive: true });
  mkdirSync(home);
  writeFileSync(join(folder, 'secret'), 'Secret Name\nSecret Name <ann@example.org>\n');
  git(repository, 'init', '--quiet');
  git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  const requests: { url: string; header: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', header: request.headers['x-evil'] as string | undefined });
    response.setHeader('set-cookie', 'evil=1; Path=/; Max-Age=1000');
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
    response.end('001e# service=git-upload-pack\n00000000');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const plain = async (added: Environment, ...args: string[]): Promise<string> => {
    requests.length = 0;
    const env = { ...cleanEnvironment(), HOME: home, ...added };
    return new Promise((resolve) => {
      execFile('git', args, { cwd: repository, env }, (_, stdout, stderr) => resolve(stdout + stderr));
    });
  };
  /** Returns the arguments of one of our runs, except the permitted protocols. */
  const defended = async (): Promise<Environment> => {
    const { git: ours, repository: seen } = opened(root, repository, home);
    const { given } = await auditOf(ours, seen);
    const {
      GIT_ALLOW_PROTOCOL: _,
      GIT_LITERAL_PATHSPECS: __,
      ...environment
    } = environmentOf(ours, command('commit'), readingPlace(seen, given), {});
    return environment;
  };
  const set = (key: string, value: string) => void git(repository, 'config', '--add', key, value);
  return { folder, repository, address, requests, plain, defended, set, git };
}

describe('a request to one host', () => {
  test.each(['http.proxy', 'http.http://host.invalid.proxy', 'remote.origin.proxy'])(
    'goes through the proxy of %s in plain git, and not with ours',
    async (key) => {
      const { address, requests, plain, defended, set } = await site();
      set('remote.origin.url', 'http://host.invalid/x');
      set(key, address);
      await plain({}, 'ls-remote', 'origin');
      expect(requests.length).toBeGreaterThan(0);
      await plain(await defended(), 'ls-remote', 'origin');
      expect(requests).toEqual([]);
    },
  );

  test.each(['http.extraHeader', 'http.<address>.extraHeader'])(
    'carries the headers of %s in plain git, and not with ours',
    async (key) => {
      const { address, requests, plain, defended, set } = await site();
      set('remote.origin.url', `${address}/x`);
      set(key.replace('<address>', address), 'X-Evil: yes');
      await plain({}, 'ls-remote', 'origin');
      expect(requests[0]).toMatchObject({ header: 'yes' });
      await plain(await defended(), 'ls-remote', 'origin');
      expect(requests[0]).toMatchObject({ header: undefined });
    },
  );

  test('writes its cookies to any file in plain git, and not with ours', async () => {
    const { address, requests, plain, defended, set, folder } = await site();
    set('remote.origin.url', `${address}/x`);
    set('http.saveCookies', 'true');
    set('http.cookieFile', join(folder, 'written'));
    await plain(await defended(), 'ls-remote', 'origin');
    expect([requests.length > 0, existsSync(join(folder, 'written'))]).toEqual([true, false]);
    await plain({}, 'ls-remote', 'origin');
    expect(existsSync(join(folder, 'written'))).toBe(true);
  });
});

describe('a file outside of the repository', () => {
  test.each([
    ['mailmap.file', ['log', '--format=%aN']],
    ['core.excludesFile', ['check-ignore', '-v', 'Secret Name <ann@example.org>']],
    ['core.attributesFile', ['check-attr', '-a', 'Secret']],
    ['branch.main.mergeOptions', ['merge', '--no-ff', 'side']],
  ])('is read by way of %s in plain git, and not with ours', async (key, args) => {
    const { plain, defended, set, folder, repository, git } = await site();
    writeFileSync(join(repository, 'file'), 'x\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '--quiet', '-m', 'file');
    git(repository, 'branch', 'side');
    const secret = join(folder, 'secret');
    set(key, key === 'branch.main.mergeOptions' ? `-F ${secret}` : secret);
    const reported: boolean[] = [];
    for (const config of [await defended(), {}]) {
      git(repository, 'reset', '--hard', '--quiet', 'side~1');
      const printed = await plain(config, ...args);
      reported.push(/Name|ann@example\.org:/.test(printed + (await plain({}, 'log', '-1', '--format=%B'))));
    }
    expect(reported).toEqual([false, true]);
  });

  test('is quoted by blame in plain git, and not with ours', async () => {
    const { plain, defended, set, folder, repository, git } = await site();
    writeFileSync(join(repository, 'file'), 'x\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '--quiet', '-m', 'file');
    set('blame.ignoreRevsFile', join(folder, 'secret'));
    expect(await plain({}, 'blame', 'file')).toContain('Secret Name');
    expect(await plain(await defended(), 'blame', 'file')).not.toContain('Secret Name');
  });
});
