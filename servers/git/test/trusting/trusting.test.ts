import { appendFileSync, chownSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Revision } from '@rootbound/protocol';
import { type Client, connect, streams } from '@rootbound/protocol/client';
import { serveMemory } from '@rootbound/protocol/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createGitServer } from '../../src/server.ts';
import { spec } from '../../src/spec.ts';
import { call, newest, Served, type Setting, structuredRevisions } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { sampled } from '../seeds.ts';

const served = new Served();
const { folder, git, write } = scratch();

type Answer = { action: 'accept'; content: { confirm: boolean } } | { action: 'decline' | 'cancel' };
const agrees: Answer = { action: 'accept', content: { confirm: true } };

let count = 0;

afterEach(() => void vi.unstubAllEnvs());

/** A repository of which a filter fires when its changes are looked at. */
function made() {
  const name = `r${count++}`;
  const path = join(folder, name);
  const marker = join(folder, `${name}-fired`);
  write(`${name}/a`, 'one\n');
  git(path, 'init', '--quiet');
  git(path, 'add', '.');
  git(path, 'commit', '--quiet', '-m', 'one');
  write(`${name}/.git/info/attributes`, 'a filter=x\n');
  git(path, 'config', 'filter.x.clean', `touch '${marker}'; cat`);
  const hook = write(`${name}/.git/hooks/pre-commit`, '#!/bin/sh\n', 0o755);
  /** Whether the filter runs for a call that looks at the file. */
  const fires = async (client: Client): Promise<boolean> => {
    writeFileSync(join(path, 'a'), `${count++}\n`);
    await call(client, 'git_diff', { repo_path: path });
    const fired = existsSync(marker);
    rmSync(marker, { force: true });
    return fired;
  };
  return { path, hook, fires };
}

interface Asking {
  client: Client;
  questions: string[];
}

async function asking(
  path: string,
  setting: Setting = {},
  answer: Answer | (() => Answer) = agrees,
): Promise<Asking> {
  const questions: string[] = [];
  const client = await served.client([path], {
    ...setting,
    elicitation: (params) => {
      questions.push(params.message);
      return typeof answer === 'function' ? answer() : answer;
    },
  });
  return { client, questions };
}

const tools = async (client: Client) => (await client.listTools()).map(({ name }) => name);
const prompts = async (client: Client) => (await client.listPrompts()).map(({ name }) => name);

describe.each(sampled(structuredRevisions, 2))('%s', (revision: Revision) => {
  test('what a repository sets up runs once its user agrees, and not before or after it is taken back', async () => {
    const { path, fires } = made();
    const { client, questions } = await asking(path, { revision });
    expect(await fires(client)).toBe(false);
    const { failed, facts, text } = await call(client, 'git_trust');
    expect([failed, facts]).toEqual([
      false,
      {
        repository: path,
        trust: 'trusted',
        runs: [
          { key: 'filter.x.clean', scope: 'local', what: 'filter' },
          { key: 'hooks/pre-commit', scope: 'local', what: 'hook' },
        ],
      },
    ]);
    expect(text).toContain('filter "filter.x.clean"');
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain(`Trust ${path}?`);
    expect(questions[0]).toContain('"filter.x.clean", "hooks/pre-commit"');
    expect(questions[0]).not.toMatch(/touch|\n/);
    expect(await fires(client)).toBe(true);
    expect((await call(client, 'git_trust')).facts).toMatchObject({ trust: 'trusted' });
    expect(questions).toHaveLength(1);
    expect((await call(client, 'git_trust', { revoke: true })).facts).toMatchObject({
      trust: 'untrusted',
      runs: [],
    });
    expect(await fires(client)).toBe(false);
  });

  test.each<[string, Answer, string]>([
    ['declines', { action: 'decline' }, 'declined'],
    ['dismisses the question', { action: 'cancel' }, 'cancelled'],
    ['says no', { action: 'accept', content: { confirm: false } }, 'declined'],
  ])('nothing is trusted when the user %s', async (_, answer, code) => {
    const { path, fires } = made();
    const { client } = await asking(path, { revision }, answer);
    expect((await call(client, 'git_trust')).code).toBe(code);
    expect(await fires(client)).toBe(false);
  });

  test('a change of a hook ends trust, and it is asked for anew', async () => {
    const { path, hook, fires } = made();
    const { client, questions } = await asking(path, { revision });
    await call(client, 'git_trust');
    appendFileSync(hook, 'evil\n');
    expect(await fires(client)).toBe(false);
    writeFileSync(hook, '#!/bin/sh\n');
    expect(await fires(client), 'put back').toBe(false);
    appendFileSync(hook, 'other\n');
    expect((await call(client, 'git_overview')).facts).toMatchObject({ trust: 'changed' });
    expect((await call(client, 'git_trust')).failed).toBe(false);
    expect(questions[0]).not.toBe(questions[1]);
    expect(await fires(client)).toBe(true);
  });

  test('an answer is not for what the repository has become while the user thought', async () => {
    const { path, hook, fires } = made();
    let thinking = true;
    const { client, questions } = await asking(path, { revision }, () => {
      if (thinking) appendFileSync(hook, 'evil\n');
      thinking = false;
      return agrees;
    });
    const { code } = await call(client, 'git_trust');
    // a call that comes again with the answer asks anew; one that waited for it cannot
    expect([code, questions.length]).toEqual(revision === newest ? [undefined, 2] : ['changed', 1]);
    expect(await fires(client)).toBe(revision === newest);
    if (revision === newest) expect(questions[0]).not.toBe(questions[1]);
  });
});

test('a hook runs in a commit once it is trusted, and not before', async () => {
  const { path, hook } = made();
  const marker = `${path}-hooked`;
  writeFileSync(hook, `#!/bin/sh\n: > '${marker}'\n`);
  for (const [key, value] of [
    ['user.name', 'Ann Example'],
    ['user.email', 'ann@example.org'],
  ])
    git(path, 'config', key!, value!);
  const { client } = await asking(path);
  const ran: boolean[] = [];
  for (const trusted of [false, true]) {
    if (trusted) await call(client, 'git_trust');
    write(`${basename(path)}/b`, `${trusted}\n`);
    git(path, 'add', 'b');
    expect((await call(client, 'git_commit', { message: 'two' })).failed).toBe(false);
    ran.push(existsSync(marker));
  }
  expect(ran).toEqual([false, true]);
});

test('a client that cannot ask is told how the operator trusts', async () => {
  const { path } = made();
  const client = await served.client([path]);
  const { code, text } = await call(client, 'git_trust');
  expect(code).toBe('cannot-ask');
  expect(text).toContain('--trust');
});

test('nothing is asked about a repository that sets up nothing', async () => {
  const path = join(folder, 'plain');
  write('plain/a', '');
  git(path, 'init', '--quiet');
  const { client, questions } = await asking(path);
  git(path, 'config', 'user.name', 'Ann Example');
  const { code } = await call(client, 'git_trust');
  expect([code, questions]).toEqual(['nothing-to-trust', []]);
});

test('what the operator trusts needs no question, and no client takes it back', async () => {
  const { path, fires } = made();
  const { client, questions } = await asking(path, { extra: { trust: [path] } });
  expect((await call(client, 'git_trust')).facts).toMatchObject({ trust: 'trusted' });
  expect((await call(client, 'git_trust', { revoke: true })).code).toBe('operator-trust');
  expect([await fires(client), questions]).toEqual([true, []]);
});

test.each(['2024-11-05', newest] as const)(
  'with %s it is listed while it can do something, and clients are told when that changes',
  async (revision) => {
    const { path, fires } = made();
    const asks = revision === newest;
    const { client } = await asking(path, { revision });
    const reported: string[] = [];
    let wake = (): void => {};
    const heard = async (count: number): Promise<void> => {
      while (reported.length < count) {
        const next = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await next;
      }
    };
    for (const list of ['tools', 'prompts'] as const)
      await client.onListChanged(list, () => {
        reported.push(list);
        wake();
      });
    expect(await tools(client)).not.toContain('git_trust');
    expect(await prompts(client)).not.toContain('review_trust');
    await fires(client);
    await heard(2);
    expect(await tools(client)).toContain('git_trust');
    expect(await prompts(client)).toContain('review_trust');
    if (!asks) return;
    await call(client, 'git_trust');
    await heard(3);
    expect(await tools(client)).toContain('git_trust');
    expect(await prompts(client)).not.toContain('review_trust');
    await call(client, 'git_trust', { revoke: true });
    await heard(4);
    expect(await prompts(client)).toContain('review_trust');
    expect(reported).toEqual(['tools', 'prompts', 'prompts', 'prompts']);
  },
);

test('what one user trusts does not run for another, and only its giver takes it back', async () => {
  const { path, fires } = made();
  const { server, close } = createGitServer({
    roots: [{ path, readOnly: false }],
    readOnly: false,
    tools: spec.tools,
    clientRoots: 'narrow',
    maxOutput: 102_400,
  });
  const clientOf = (principal: string): Promise<Client> =>
    connect(
      streams(() => serveMemory(server, { principal })),
      { name: principal, version: '1.0.0', elicitation: () => agrees },
    );
  const [ann, bob] = [await clientOf('ann'), await clientOf('bob')];
  await call(ann, 'git_trust');
  expect([await fires(bob), await fires(ann)]).toEqual([false, true]);
  expect((await call(bob, 'git_trust', { revoke: true })).facts).toMatchObject({ trust: 'untrusted' });
  expect(await fires(ann)).toBe(true);
  for (const client of [ann, bob]) await client.close();
  await close();
});

describe.runIf(process.geteuid?.() === 0)('the repository of another user', () => {
  const other = 54_321;
  const foreign = () => {
    const { path, fires } = made();
    chownSync(join(path, '.git'), other, other);
    return { path, fires };
  };
  const home = (config: string) => {
    const file = write(`home${count++}/.gitconfig`, config);
    vi.stubEnv('HOME', dirname(file));
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  };

  test('is refused, and named for the operator', async () => {
    const { path, fires } = foreign();
    home('');
    const { client, questions } = await asking(path);
    for (const name of ['git_status', 'git_log', 'git_trust']) {
      const { code, text } = await call(client, name);
      expect(code, name).toBe('dubious-ownership');
      expect(text).toContain(`safe.directory ${path}`);
    }
    expect([await fires(client), questions]).toEqual([false, []]);
  });

  test.each<[string, (path: string) => string]>([
    ['its path', (path) => `[safe]\n\tdirectory = ${path}\n`],
    ['all below a folder', (path) => `[safe]\n\tdirectory = ${dirname(path)}/*\n`],
    ['every path', () => '[safe]\n\tdirectory = *\n'],
  ])('is worked with once the operator names %s', async (_, config) => {
    const { path, fires } = foreign();
    home(config(path));
    const { client } = await asking(path);
    expect((await call(client, 'git_status')).failed).toBe(false);
    expect(await fires(client)).toBe(false);
    expect((await call(client, 'git_trust')).facts).toMatchObject({ trust: 'trusted' });
    expect(await fires(client)).toBe(true);
  });

  test.each<[string, (path: string) => string]>([
    ['names another', (path) => `[safe]\n\tdirectory = ${path}x\n`],
    ['takes it back', (path) => `[safe]\n\tdirectory = ${path}\n\tdirectory =\n`],
  ])('is refused where the operator %s, whatever the repository itself says', async (_, config) => {
    const { path } = foreign();
    git(path, 'config', 'safe.directory', '*', { environment: { GIT_DIR: join(path, '.git') } });
    home(config(path));
    const client = await served.client([path]);
    expect((await call(client, 'git_status')).code).toBe('dubious-ownership');
  });

  test('lends nothing that a linked worktree of one’s own could be trusted for', async () => {
    const { path } = foreign();
    const linked = join(folder, `linked${count++}`);
    const environment = { GIT_DIR: join(path, '.git'), GIT_WORK_TREE: path };
    git(path, 'worktree', 'add', '--quiet', linked, { environment });
    home('');
    const { client, questions } = await asking(linked, {
      extra: { 'allow-common-dir': [join(path, '.git')] },
    });
    expect((await call(client, 'git_status')).failed).toBe(false);
    expect((await call(client, 'git_trust')).code).toBe('dubious-ownership');
    expect(questions).toEqual([]);
  });

  test('is worked with where the operator trusts it, and where root works for that user', async () => {
    const { path } = foreign();
    home('');
    const trusting = await served.client([path], { extra: { trust: [path] } });
    expect((await call(trusting, 'git_status')).failed).toBe(false);
    vi.stubEnv('SUDO_UID', String(other));
    const client = await served.client([path]);
    expect((await call(client, 'git_status')).failed).toBe(false);
  });
});
