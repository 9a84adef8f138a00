import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type GitInput, type Scratch, scratch } from '../scratch.ts';

const served = new Served();
const any = { okay: [0, 1, 2, 128] } satisfies GitInput;

/** A repository in a root with two branches that conflict, and the folder beside the root that no call may reach. */
interface Site extends Scratch {
  readonly repository: string;
  readonly outside: string;
  readonly marker: string;
  plain(...args: string[]): void;
  state(name: string, content: string): void;
}

function siteOf(made: Scratch): Site {
  const repository = join(made.folder, 'root', 'repository');
  const marker = join(made.folder, 'fired');
  return {
    ...made,
    ...{ repository, marker, outside: join(made.folder, 'outside') },
    plain: (...args) => void made.git(repository, ...args, any),
    state: (name, content) => {
      const file = join(repository, '.git', name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
  };
}

let pattern: Site | undefined;

/** A site of its own, which all begin with alike. */
function begun(): Site {
  pattern ??= made();
  return copied(pattern);
}

function made(): Site {
  const base = scratch();
  const site = siteOf(base);
  mkdirSync(site.repository, { recursive: true });
  mkdirSync(site.outside);
  base.write('outside/file', 'untouched\n');
  base.write('payload', `#!/bin/sh\n: > '${site.marker}'\n`, 0o755);
  const commit = (path: string, content: string): void => {
    base.write(join('root', 'repository', path), content);
    site.plain('add', '.');
    site.plain('commit', '-qm', path + content.length);
  };
  site.plain('init', '-q');
  for (const [key, value] of [
    ['user.name', 'Ann Example'],
    ['user.email', 'ann@example.org'],
    ['alias.merge-evil', `!${base.folder}/payload`],
  ] as const)
    site.plain('config', key, value);
  commit('a', 'one\n');
  site.plain('branch', 'spare');
  site.plain('switch', '-qc', 'side');
  commit('a', 'side\n');
  commit('b', 'more\n');
  commit('c', 'most\n');
  site.plain('switch', '-q', 'main');
  commit('a', 'main\n');
  return site;
}

/** The same site once more, so that an attack meets plain git and the server in equal repositories. */
function copied({ folder, ...rest }: Site): Site {
  const copy = scratch();
  rmSync(copy.folder, { recursive: true });
  execFileSync('cp', ['-a', folder, copy.folder]);
  const config = join(copy.folder, 'root', 'repository', '.git', 'config');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll(folder, copy.folder));
  writeFileSync(
    join(copy.folder, 'payload'),
    readFileSync(join(folder, 'payload'), 'utf8').replaceAll(folder, copy.folder),
  );
  return siteOf({ ...rest, ...copy });
}

const settle = (site: Site): void => {
  writeFileSync(join(site.repository, 'a'), 'settled\n');
  site.plain('add', 'a');
};
const append = (site: Site, name: string, text: string): void =>
  site.state(name, contentOf(join(site.repository, '.git', name)) + text);
const contentOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const rebasing = (site: Site): void => {
  site.plain('rebase', '--merge', 'main', 'side');
  settle(site);
};

interface Attack {
  readonly name: string;
  /** what plain git has in progress, with the payload in it */
  plant(site: Site): void;
  /** what goes on with it by hand */
  readonly plain: readonly string[];
  /** whether the payload has had its effect */
  fired(site: Site): boolean;
  readonly call: readonly [tool: string, args: Record<string, unknown>];
  /** the file that a refusal names */
  readonly file: string;
}

const marked = ({ marker }: Site): boolean => existsSync(marker);
const goOn = (action = 'continue') => ['git_continue', { action, confirm: true }] as const;

const attacks: readonly Attack[] = [
  {
    name: 'a command among the steps of a rebase',
    plant: (site) => {
      rebasing(site);
      append(site, 'rebase-merge/git-rebase-todo', `exec ${site.folder}/payload\n`);
    },
    plain: ['rebase', '--continue'],
    fired: marked,
    call: goOn(),
    file: 'rebase-merge/git-rebase-todo',
  },
  {
    name: 'a command by its letter, behind tabs and a line that no editor shows',
    plant: (site) => {
      rebasing(site);
      append(site, 'rebase-merge/git-rebase-todo', `#\r\n \t x\t${site.folder}/payload\r\n`);
    },
    plain: ['rebase', '--continue'],
    fired: marked,
    call: goOn(),
    file: 'rebase-merge/git-rebase-todo',
  },
  {
    name: 'a strategy of a rebase that an alias runs',
    plant: (site) => {
      rebasing(site);
      site.state('rebase-merge/strategy', 'evil\n');
    },
    plain: ['rebase', '--continue'],
    fired: marked,
    call: goOn(),
    file: 'rebase-merge/strategy',
  },
  {
    name: 'a strategy of a cherry-pick that an alias runs',
    plant: (site) => {
      site.plain('cherry-pick', 'spare..side');
      settle(site);
      append(site, 'sequencer/opts', '[options]\n\tstrategy = evil\n');
    },
    plain: ['cherry-pick', '--continue'],
    fired: marked,
    call: goOn(),
    file: 'sequencer/opts',
  },
  {
    name: 'the same strategy in another spelling of the file',
    plant: (site) => {
      site.plain('cherry-pick', 'spare..side');
      settle(site);
      append(site, 'sequencer/opts', '[Options]Strategy="evil" ;\n');
    },
    plain: ['cherry-pick', '--continue'],
    fired: marked,
    call: goOn(),
    file: 'sequencer/opts',
  },
  {
    name: 'an option that has git apply write any file',
    plant: (site) => {
      const mails = site.git(site.repository, 'format-patch', '--stdout', 'spare..side');
      site.git(site.repository, 'am', { ...any, input: mails });
      settle(site);
      site.state('rebase-apply/apply-opt', ` '--build-fake-ancestor=${site.outside}/file'`);
    },
    plain: ['am', '--continue'],
    fired: ({ outside }) => readFileSync(join(outside, 'file'), 'latin1') !== 'untouched\n',
    call: goOn(),
    file: 'rebase-apply/apply-opt',
  },
  {
    name: 'a start of a bisect that is an option',
    plant: (site) => {
      site.plain('bisect', 'start', 'side', 'spare');
      site.state('BISECT_START', '--force\n');
      writeFileSync(join(site.repository, 'a'), 'work of hours\n');
    },
    plain: ['bisect', 'reset'],
    fired: ({ repository }) => readFileSync(join(repository, 'a'), 'utf8') !== 'work of hours\n',
    call: ['git_bisect', { action: 'reset' }],
    file: 'BISECT_START',
  },
  {
    name: 'a ref of somebody that a rebase deletes at its end',
    plant: (site) => {
      rebasing(site);
      site.state('rebase-merge/refs-to-delete', 'refs/heads/spare\n');
    },
    plain: ['rebase', '--quit'],
    fired: ({ git, repository }) => git(repository, 'branch', '--list', 'spare').toString() === '',
    call: goOn('quit'),
    file: 'rebase-merge/refs-to-delete',
  },
  {
    name: 'a ref of somebody that a rebase moves at its end',
    plant: (site) => {
      rebasing(site);
      const id = (name: string) => site.git(site.repository, 'rev-parse', name).toString();
      site.state('rebase-merge/update-refs', `refs/heads/spare\n${id('spare')}${id('main')}`);
      site.state('rebase-merge/autostash', '--index\n');
    },
    plain: ['rebase', '--continue'],
    fired: ({ git, repository }) =>
      git(repository, 'rev-parse', 'spare').toString() === git(repository, 'rev-parse', 'main').toString(),
    call: goOn(),
    file: 'rebase-merge/autostash',
  },
  {
    name: 'a conflict outside of the work tree that rerere remembers',
    plant: (site) => {
      site.plain('config', 'rerere.enabled', 'true');
      site.plain('merge', 'side');
      settle(site);
      const id = 'ab'.repeat(20);
      site.state(`rr-cache/${id}/preimage`, '<<<<<<<\none\n=======\ntwo\n>>>>>>>\n');
      site.state('MERGE_RR', `${id}\t../../outside/file\0`);
    },
    plain: ['commit', '--no-edit'],
    fired: ({ repository }) => existsSync(join(repository, '.git/rr-cache', 'ab'.repeat(20), 'postimage')),
    call: ['git_commit', { message: 'merged' }],
    file: 'MERGE_RR',
  },
];

describe.each(attacks)('$name', ({ plant, plain, fired, call: [tool, args], file }) => {
  test('has its effect in plain git, and is refused here with the name of the file', async () => {
    const site = begun();
    const ours = copied(site);
    plant(site);
    plant(ours);
    site.plain(...plain);
    expect([fired(site), fired(ours)]).toEqual([true, false]);
    const client = await served.client([join(ours.folder, 'root')]);
    const { code, text, failed } = await call(client, tool, { repo_path: ours.repository, ...args });
    expect([failed, code, text.includes(file), fired(ours)]).toEqual([true, 'unsupported', true, false]);
    const overview = await call(client, 'git_overview', { repo_path: ours.repository });
    expect(overview.text).toContain(`${file} [state, local]`);
  });
});

test('in a trusted repository a rebase goes on as by hand', async () => {
  const site = begun();
  attacks[0]!.plant(site);
  const client = await served.client([join(site.folder, 'root')], { extra: { trust: [site.repository] } });
  const { failed, text } = await call(client, 'git_continue', {
    repo_path: site.repository,
    action: 'continue',
  });
  expect([text, failed, marked(site)]).toEqual([text, false, true]);
});

/** The entries that may exist where git writes a small file. */
const odd: Readonly<Record<string, (file: string, outside: string) => void>> = {
  'a folder': (file) => mkdirSync(file),
  'a link': (file) => symlinkSync('../HEAD', file),
  'a link to nothing': (file) => symlinkSync('nothing', file),
  'a FIFO': (file) => void execFileSync('mkfifo', [file]),
  'a hard link': (file) => linkSync(join(dirname(dirname(file)), 'HEAD'), file),
  'more than any list': (file) => writeFileSync(file, '#\n'.repeat(3 << 20)),
};

test.each(Object.entries(odd))('%s in the place of a state file is refused', async (_, put) => {
  const site = begun();
  rebasing(site);
  const file = join(site.repository, '.git', 'rebase-merge', 'git-rebase-todo');
  rmSync(file);
  put(file, site.outside);
  const client = await served.client([join(site.folder, 'root')]);
  const { failed, text } = await call(client, 'git_continue', {
    repo_path: site.repository,
    action: 'continue',
  });
  expect([failed, text.includes('git-rebase-todo')]).toEqual([true, true]);
});

/** Each verb that acts on state, by a call that would work without any. */
const acting: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['git_commit', { message: 'x', allow_empty: true }],
  ['git_reset', { mode: 'hard', revision: 'HEAD', confirm: true }],
  ['git_reset', { mode: 'soft', revision: 'HEAD' }],
  ['git_checkout', { branch_name: 'spare' }],
  ['git_stash', { action: 'push' }],
  ['git_merge', { revisions: ['spare'] }],
  ['git_rebase', { upstream: 'spare' }],
  ['git_cherry_pick', { commits: ['side'] }],
  ['git_revert', { commits: ['HEAD'] }],
  ['git_bisect', { action: 'start', good: ['spare'] }],
];

test.each(acting)('%s with %o is refused beside a state file that git does not write', async (tool, args) => {
  const site = begun();
  site.write('root/repository/a', 'changed\n');
  if (tool !== 'git_stash' && tool !== 'git_reset') site.plain('checkout', '-q', '-f');
  site.state('MERGE_AUTOSTASH', '--index\n');
  const before = site.git(site.repository, 'for-each-ref').toString();
  const client = await served.client([join(site.folder, 'root')]);
  const { code, text } = await call(client, tool, { repo_path: site.repository, ...args });
  expect([code, text.includes('MERGE_AUTOSTASH')]).toEqual(['unsupported', true]);
  expect(site.git(site.repository, 'for-each-ref').toString()).toBe(before);
  rmSync(join(site.repository, '.git', 'MERGE_AUTOSTASH'));
  expect(await call(client, tool, { repo_path: site.repository, ...args })).toMatchObject({ failed: false });
});
