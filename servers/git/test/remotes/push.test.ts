import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { clientOf, pairs } from './pair.ts';
import { httpRemote } from './serving.ts';

const served = new Served();
const pair = pairs();

interface Facts extends Record<string, unknown> {
  refs: { ref: string; result: string; before?: string; after?: string }[];
  undo?: string;
}

/** Calls the tool that an undo names. */
const takeBack = (client: Parameters<typeof call>[0], undo: unknown) => {
  const [, tool, args] = /^(\w+) with (\{.*\})$/.exec(String(undo))!;
  return call<Facts>(client, tool!, JSON.parse(args!));
};

test('the branch is sent, and the other repository was seen to have it', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const [one, two] = [here.idOf(here.work, 'HEAD'), here.commitHere('two')];
  const { text, failed } = await call(client, 'git_push');
  expect([failed, text]).toEqual([
    false,
    `to ${address}/bare.git\nrefs/heads/main: moved ${one.slice(0, 12)} -> ${two.slice(0, 12)}`,
  ]);
  expect(here.idOf(here.bare, 'main')).toBe(two);
});

test('a branch whose name begins with a plus is pushed and fetched, and nothing is forced by it', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  here.git(here.work, 'branch', '+main');
  expect((await call<Facts>(client, 'git_push', { refs: ['+main'] })).facts.refs).toEqual([
    { ref: 'refs/heads/+main', result: 'new', after: here.idOf(here.work, 'HEAD') },
  ]);
  const theirs = here.commitThere('theirs', '+main');
  here.commitHere('ours');
  expect((await call(client, 'git_push', { refs: ['main:+main'] })).code).toBe('non-fast-forward');
  const { facts } = await call(client, 'git_fetch', { refs: ['+main'] });
  expect(facts.moved).toEqual([expect.objectContaining({ ref: 'refs/remotes/origin/+main', after: theirs })]);
});

test('a new branch gets its upstream, and each push is taken back by what its undo says', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const one = here.idOf(here.work, 'HEAD');
  here.git(here.work, 'switch', '-qc', 'topic');
  const two = here.commitHere('two');
  const made = await call<Facts>(client, 'git_push', { remote: 'origin', set_upstream: true });
  expect(made.facts).toMatchObject({
    refs: [{ ref: 'refs/heads/topic', result: 'new', after: two }],
    verified: true,
  });
  expect(here.git(here.work, 'rev-parse', '--abbrev-ref', 'topic@{upstream}').toString()).toBe(
    'origin/topic\n',
  );
  const rewound = await call<Facts>(client, 'git_push', {
    refs: [`${one}:topic`],
    force_with_lease: [two],
  });
  expect(rewound.facts.refs).toEqual([
    { ref: 'refs/heads/topic', result: 'forced', before: two, after: one },
  ]);
  expect((await takeBack(client, rewound.facts.undo)).facts.refs[0]!.result).toBe('moved');
  expect(here.idOf(here.bare, 'topic')).toBe(two);
  const gone = await takeBack(client, made.facts.undo);
  expect(gone.facts.refs).toEqual([{ ref: 'refs/heads/topic', result: 'removed', before: two }]);
  await takeBack(client, gone.facts.undo);
  expect(here.idOf(here.bare, 'topic')).toBe(two);
});

test('what somebody else has pushed is not overwritten, and what did go is told', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const one = here.idOf(here.work, 'HEAD');
  const theirs = here.commitThere('theirs');
  here.commitHere('ours');
  here.git(here.work, 'branch', 'other');
  const refused = await call(client, 'git_push', { refs: ['main', 'other'] });
  expect([refused.code, refused.text]).toEqual([
    'non-fast-forward',
    expect.stringMatching(/^rejected: refs\/heads\/main \(fetch first\); pushed: refs\/heads\/other/),
  ]);
  const stale = await call(client, 'git_push', { refs: ['main'], force_with_lease: [one] });
  expect([stale.code, stale.text]).toEqual(['non-fast-forward', expect.stringContaining('(stale info)')]);
  const atomic = await call(client, 'git_push', { refs: ['main', 'main:third'], atomic: true });
  expect(atomic.text).toContain('nothing was pushed');
  expect(here.idOf(here.bare, 'main')).toBe(theirs);
});

test('deleting, and half an id, need the whole id that is there', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const wrong = [
    { refs: ['side'], delete: true },
    { refs: ['side'], force_with_lease: ['abc123'] },
    { refs: ['side', 'main'], force_with_lease: ['a'.repeat(40)] },
    { refs: ['a:b:c'] },
  ];
  for (const args of wrong) expect((await call(client, 'git_push', args)).code).toBe('invalid-arguments');
  expect((await call(client, 'git_push', { refs: ['nothing'] })).code).toBe('unknown-revision');
  expect((await call(client, 'git_push', { refs: ['--mirror'] })).code).toBe('invalid-ref');
  expect((await call(client, 'git_push', { refs: ['+main'] })).code).not.toBe(undefined);
  expect(asked).toEqual([]);
});

test('a dry run sends nothing', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const [one, two] = [here.idOf(here.work, 'HEAD'), here.commitHere('two')];
  const { facts, text } = await call<Facts>(client, 'git_push', { dry_run: true });
  expect(text.split('\n')[0]).toMatch(/ \(dry run: nothing was pushed\)$/);
  expect(facts).toMatchObject({
    refs: [{ ref: 'refs/heads/main', result: 'moved', before: one, after: two }],
    verified: false,
  });
  expect(facts.undo).toBe(undefined);
  expect(here.idOf(here.bare, 'main')).toBe(one);
});

test('a hook over there that refuses is told with what it said', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  here.write(
    `${here.bare.slice(here.folder.length + 1)}/hooks/pre-receive`,
    '#!/bin/sh\necho "no commits on Sundays"\nexit 1\n',
    0o755,
  );
  const client = await clientOf(served, here, `${address}/bare.git`);
  here.commitHere('two');
  const { code, text } = await call(client, 'git_push');
  expect([code, text]).toEqual(['hook-rejected', expect.stringContaining('no commits on Sundays')]);
});

test('a pre-push hook runs in a trusted repository alone', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  here.write(
    `${here.work.slice(here.folder.length + 1)}/.git/hooks/pre-push`,
    '#!/bin/sh\necho stop >&2\nexit 1\n',
    0o755,
  );
  const trusting = await clientOf(served, here, `${address}/bare.git`, { extra: { trust: [here.work] } });
  here.commitHere('two');
  expect((await call(trusting, 'git_push')).failed).toBe(true);
  const client = await clientOf(served, here, `${address}/bare.git`);
  expect((await call(client, 'git_push')).failed).toBe(false);
});

const urls = (here: ReturnType<typeof pair>) => here.git(here.work, 'remote', '-v').toString();

test('a remote is added, and all are told', async () => {
  const here = pair();
  const client = await clientOf(served, here, 'https://host.invalid/one.git');
  const args = { action: 'add', name: 'fork', url: 'ssh://git@host.invalid/two.git' };
  const { text, failed } = await call(client, 'git_remote', args);
  expect([failed, text]).toEqual([
    false,
    'origin\thttps://host.invalid/one.git\nfork\tssh://git@host.invalid/two.git',
  ]);
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

test('what is malformed, taken or unknown is refused', async () => {
  const here = pair();
  const client = await clientOf(served, here, 'https://host.invalid/one.git');
  const before = urls(here);
  for (const [args, code] of wrong)
    expect((await call(client, 'git_remote', args)).code, JSON.stringify(args)).toBe(code);
  expect(urls(here)).toBe(before);
});

const wrong: [Record<string, string>, string][] = [
  [{ action: 'add', name: '--mirror', url: 'https://host.invalid/x' }, 'invalid-remote'],
  [{ action: 'add', name: 'x', url: '--upload-pack=x' }, 'invalid-url'],
  [{ action: 'add', name: 'x', url: 'ext::sh -c id' }, 'invalid-url'],
  [{ action: 'add', name: 'x', url: 'https://ann:hunter2@host.invalid/x' }, 'invalid-url'],
  [{ action: 'add', name: 'origin', url: 'https://host.invalid/x' }, 'exists'],
  [{ action: 'rename', name: 'nothing', new_name: 'x' }, 'unknown-remote'],
  [{ action: 'rename', name: 'origin' }, 'invalid-arguments'],
];

test('an untrusted hook that git would run wherever the hooks are does not run when a remote is removed', async () => {
  const here = pair();
  const client = await clientOf(served, here, 'https://host.invalid/one.git');
  const hook = here.write(
    `${here.work.slice(here.folder.length + 1)}/.git/hooks/reference-transaction`,
    `#!/bin/sh\ntouch '${join(here.work, 'fired')}'\n`,
  );
  chmodSync(hook, 0o755);
  const removed = await call(client, 'git_remote', { action: 'remove', name: 'origin' });
  expect([removed.failed, existsSync(join(here.work, 'fired'))]).toEqual([false, false]);
  // plain git runs it
  here.git(here.work, 'remote', 'add', 'origin', 'https://host.invalid/one.git');
  here.git(here.work, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  here.git(here.work, 'remote', 'remove', 'origin');
  expect(existsSync(join(here.work, 'fired'))).toBe(true);
});

test('what another repository has is listed without fetching', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const two = here.commitThere('two');
  const { facts } = await call(client, 'git_remote', { action: 'list_refs', name: 'origin' });
  expect(facts).toEqual({
    url: `${address}/bare.git`,
    refs: [
      { ref: 'refs/heads/main', oid: two },
      { ref: 'refs/heads/side', oid: here.idOf(here.bare, 'side') },
    ],
  });
});
