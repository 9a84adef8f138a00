import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { call, Served } from '../harness.ts';
import { cleanEnvironment, type Scratch, scratch } from '../scratch.ts';

const served = new Served();

/** A word that only files outside of the roots have. */
const secret = 'Secret';

/** A repository in a root, beside the home of the operator, which is outside. */
interface Site extends Scratch {
  readonly root: string;
  readonly home: string;
  readonly top: string;
}

function siteOf(): Site {
  const made = scratch();
  const { folder, git, write } = made;
  const [root, home] = [join(folder, 'root'), join(folder, 'home')];
  const top = join(root, 'repository');
  mkdirSync(top, { recursive: true });
  mkdirSync(home);
  git(top, 'init', '--quiet');
  git(top, 'config', 'user.name', 'Ann Example');
  git(top, 'config', 'user.email', 'ann@example.org');
  git(top, 'config', 'remote.origin.url', 'https://host.invalid/x');
  write('root/repository/a', 'one\n');
  git(top, 'add', '.');
  git(top, 'commit', '--quiet', '-m', 'one');
  git(top, 'branch', 'side');
  write('root/repository/a', 'two\n');
  for (const key of Object.keys(process.env)) if (key.startsWith('GIT_')) vi.stubEnv(key, undefined);
  const own = { HOME: home, XDG_CONFIG_HOME: undefined, GIT_CONFIG_NOSYSTEM: '1' };
  for (const [key, value] of Object.entries(own)) vi.stubEnv(key, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { ...made, root, home, top };
}

/** Tools, each with the command of plain git that does the same. */
function doing({ root }: Site) {
  const kw = join(root, 'kw');
  return [
    ['git_status', {}, ['status', '--porcelain']],
    ['git_log', {}, ['log']],
    ['git_blame', { path: 'a' }, ['blame', 'a']],
    ['git_commit', { message: 'x', all: true }, ['commit', '--quiet', '-am', 'x']],
    ['git_checkout', { branch_name: 'side' }, ['switch', '--quiet', 'side']],
    [
      'git_worktree',
      { action: 'add', path: kw, branch_name: 'main' },
      ['worktree', 'add', '--quiet', kw, 'main'],
    ],
  ] as const;
}

/** The tools that failed, or whose command did, and the author of the commit. */
interface Outcome {
  readonly failed: readonly string[];
  readonly author: string;
}

function authorIn({ top, git }: Site): string {
  return git(top, 'log', '-1', '--format=%an', 'main').toString().trim();
}

/** Runs plain git as the operator, and puts the repository back. */
function plainly(site: Site): Outcome {
  const { folder, root, home, top } = site;
  const copy = join(folder, 'copy');
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  cpSync(root, copy, options);
  const env = Object.entries({ ...cleanEnvironment(), HOME: home }).filter(
    ([key]) => !/^GIT_(?:AUTHOR|COMMITTER)_|^GIT_CONFIG_GLOBAL$/.test(key),
  );
  const failed = doing(site).flatMap(([tool, , args]) => {
    const { status } = spawnSync('git', args, { cwd: top, env: Object.fromEntries(env) });
    return status === 0 ? [] : [tool];
  });
  const author = authorIn(site);
  rmSync(root, { recursive: true });
  cpSync(copy, root, options);
  return { failed, author };
}

type Failure = readonly [tool: string, code: string | undefined, text: string];

/** Does the same through the server, and returns the texts and what the overview lists, too. */
async function throughServer(site: Site, trusted: boolean) {
  const { root, top } = site;
  const client = await served.client([root], { extra: trusted ? { trust: [top] } : {} });
  const overview = await call<{ suppressed: { key: string }[] }>(client, 'git_overview', { repo_path: top });
  const texts = [overview.text];
  const failures: Failure[] = [];
  for (const [tool, args] of doing(site)) {
    const { failed, text, code } = await call(client, tool, { repo_path: top, ...args });
    texts.push(text);
    if (failed) failures.push([tool, code, text]);
  }
  return {
    keys: overview.failed ? [overview.text] : overview.facts.suppressed.map(({ key }) => key),
    texts: texts.join('\n'),
    failures,
    failed: failures.map(([tool]) => tool),
    author: authorIn(site),
  };
}

/** Where a setting leads. */
const targets = ['missing outside', 'outside', 'missing inside', 'inside'] as const;
type Target = (typeof targets)[number];

/** A setting that names a file, and the content of that file; undefined for a folder. */
type Naming = readonly [key: string, content: string | undefined];

const author = `[user]\n\tname = ${secret} Name\n`;
const conditions = [
  ...['gitdir:<top>/', 'gitdir/i:<TOP>/', 'onbranch:main', 'hasconfig:remote.*.url:https://host.invalid/**'],
  ...['gitdir:/github/workspace/.git', 'gitdir/i:/Elsewhere/', 'onbranch:none'],
  'hasconfig:remote.*.url:https://other.invalid/**',
];

/** The settings of git-config(1) by which a repository names a file; `<top>` is its work tree. */
const naming: readonly Naming[] = [
  ['include.path', author],
  ...conditions.map((condition): Naming => [`includeif.${condition}.path`, author]),
  ['core.excludesfile', `${secret}\n`],
  ['core.attributesfile', `${secret} text\n`],
  ['commit.template', `${secret}\n`],
  ['init.templatedir', undefined],
  ['blame.ignorerevsfile', `# ${secret}\n`],
  ['mailmap.file', `${secret} Name <ann@example.org>\n`],
  ['diff.orderfile', `${secret}\n`],
  ['gpg.ssh.allowedsignersfile', `# ${secret}\n`],
  ['gpg.ssh.revocationfile', `# ${secret}\n`],
  ['http.cookiefile', `# ${secret}\n`],
  ['http.sslcainfo', `# ${secret}\n`],
  ['fsck.skiplist', `# ${secret}\n`],
];

/** Sets a key in a configuration to a place, and returns the key as results name it. */
function setTo(
  { root, top, home }: Site,
  [key, content]: Naming,
  target: Target,
  file = join(top, '.git', 'config'),
): string {
  const path = join(target.endsWith('inside') ? root : home, 'named');
  if (!target.startsWith('missing')) {
    if (content === undefined) mkdirSync(path);
    else writeFileSync(path, content);
  }
  const named = key.replace('<top>', top).replace('<TOP>', top.toUpperCase());
  const [first, last] = [named.indexOf('.'), named.lastIndexOf('.')];
  const name = first === last ? '' : ` "${named.slice(first + 1, last)}"`;
  const header = `${named.slice(0, first)}${name}`;
  appendFileSync(file, `[${header}]\n\t${named.slice(last + 1)} = ${path}\n`);
  return named;
}

/** Settings without whose file git itself does not go on, and how the server names them. */
const fatal: Readonly<Record<string, string>> = {
  'blame.ignorerevsfile': 'blame.ignoreRevsFile',
  'diff.orderfile': 'diff.orderFile',
};

function expectNamed(failures: readonly Failure[], [key]: Naming): void {
  const named = failures.map(() => ['configuration', expect.stringContaining(fatal[key] ?? 'no failure')]);
  expect(failures.map(([, code, text]) => [code, text])).toEqual(named);
}

const cases = naming.flatMap((setting) => targets.map((target) => [setting[0], target, setting] as const));

test.each(sampled(cases, 10))(
  'a repository whose %s leads to a file that is %s is worked in, as by plain git once it is trusted',
  async (_, target, setting) => {
    const site = siteOf();
    setTo(site, setting, target);
    const plain = plainly(site);
    const trusted = await throughServer(site, true);
    expect([trusted.failed, trusted.author]).toEqual([plain.failed, plain.author]);
    expectNamed(trusted.failures, setting);
  },
);

test.each(sampled(cases, 10))(
  'a repository whose %s leads to a file that is %s is worked in without trust, and the setting is listed',
  async (_, target, setting) => {
    const site = siteOf();
    const key = setTo(site, setting, target);
    const { keys, failures, texts, author: by } = await throughServer(site, false);
    expect([keys, failures, by]).toEqual([expect.arrayContaining([key]), [], 'Ann Example']);
    expect(texts).not.toContain(secret);
  },
);

test.each(sampled(cases, 10))(
  'an operator whose %s leads to a file that is %s works as by plain git, without trust',
  async (_, target, setting) => {
    const site = siteOf();
    const { top, home, git } = site;
    git(top, 'config', '--remove-section', 'user');
    const file = join(home, '.gitconfig');
    writeFileSync(file, '[user]\n\tname = Ann Example\n\temail = ann@example.org\n');
    setTo(site, setting, target, file);
    const plain = plainly(site);
    const { keys, failed, failures, author: by } = await throughServer(site, false);
    expect([failed, by]).toEqual([plain.failed, plain.author]);
    expectNamed(failures, setting);
    if (!failed.includes('git_status')) expect(keys).toEqual([]);
  },
);

/** Links in a git dir, and what the overview lists of them. */
const links: readonly (readonly [path: string, listed: readonly string[]])[] = [
  ['hooks', ['hooks']],
  ['info/exclude', ['info/exclude']],
  ['info/attributes', ['info/attributes']],
  ['lfs', []],
  ['annex', []],
  ['branchless', []],
  ['description', []],
  ['svn', []],
];

function linkTo({ top, home }: Site, path: string, target: 'missing' | 'a file' | 'a folder'): void {
  const named = join(home, 'named');
  if (target === 'a file') writeFileSync(named, `${secret}\n`);
  if (target === 'a folder') {
    mkdirSync(named);
    writeFileSync(join(named, 'pre-commit'), `#!/bin/sh\ntouch '${home}/fired'\n`, { mode: 0o755 });
  }
  const link = join(top, '.git', path);
  rmSync(link, { recursive: true, force: true });
  symlinkSync(named, link);
}

describe.each(links)('a link to outside in the place of .git/%s', (path, listed) => {
  test.each(['missing', 'a file', 'a folder'] as const)(
    'that leads to what is %s is passed over',
    async (target) => {
      const site = siteOf();
      linkTo(site, path, target);
      const { keys, failures, texts } = await throughServer(site, false);
      expect([keys, failures, existsSync(join(site.home, 'fired'))]).toEqual([listed, [], false]);
      expect(texts).not.toContain(secret);
    },
  );
});

test('a link that leads to outside later is no longer followed', async () => {
  const site = siteOf();
  const { root, top, home, write } = site;
  const exclude = join(top, '.git', 'info', 'exclude');
  write('root/repository/inside.txt', '');
  write('root/repository/outside.txt', '');
  write('home/named', 'outside.txt\n');
  rmSync(exclude);
  symlinkSync(write('root/patterns', 'inside.txt\n'), exclude);
  const client = await served.client([root]);
  const untracked = async () => {
    const { text } = await call(client, 'git_status', { repo_path: top });
    return text.split('\n').filter((line) => line.startsWith('??'));
  };
  expect(await untracked()).toEqual(['?? outside.txt']);
  rmSync(exclude);
  symlinkSync(join(home, 'named'), exclude);
  expect(await untracked()).toEqual(['?? inside.txt', '?? outside.txt']);
  rmSync(exclude);
  symlinkSync(join(root, 'patterns'), exclude);
  expect(await untracked()).toEqual(['?? outside.txt']);
});

test.each(['lfs', 'annex'])(
  "the operator's filter %s does not run where its folder is a link to outside, until the repository is trusted",
  async (name) => {
    const site = siteOf();
    const { root, top, home, write } = site;
    linkTo(site, name, 'a folder');
    const fired = join(home, 'fired');
    const clean = write('home/clean', `#!/bin/sh\ntouch '${fired}'\ncat\n`, 0o755);
    writeFileSync(join(home, '.gitconfig'), `[filter "${name}"]\n\tclean = ${clean}\n\trequired = true\n`);
    write('root/repository/.gitattributes', `a filter=${name}\n`);
    const client = await served.client([root]);
    const status = await call(client, 'git_status', { repo_path: top });
    expect([status.failed, status.text]).toEqual([false, expect.stringContaining(`filter ${name} is off`)]);
    const add = await call(client, 'git_add', { repo_path: top, files: ['a'] });
    expect([add.code, existsSync(fired)]).toEqual(['filter-suppressed', false]);
    const trusted = await served.client([root], { extra: { trust: [top] } });
    const added = await call(trusted, 'git_add', { repo_path: top, files: ['a'] });
    expect([added.failed, existsSync(fired)]).toEqual([false, true]);
  },
);

test('hooks behind a link to outside run once the repository is trusted, until they change', async () => {
  const site = siteOf();
  const { root, top, home, write } = site;
  linkTo(site, 'hooks', 'a folder');
  const client = await served.client([root], { extra: { trust: [top] } });
  const commit = (message: string) =>
    call<{ hooks?: string }>(client, 'git_commit', { repo_path: top, message, allow_empty: true });
  expect([(await commit('x')).facts.hooks, existsSync(join(home, 'fired'))]).toEqual(['on', true]);
  rmSync(join(home, 'fired'));
  write('home/named/pre-commit', `#!/bin/sh\ntouch '${home}/fired' # another\n`, 0o755);
  const { facts } = await call(client, 'git_overview', { repo_path: top });
  expect(facts.trust).toBe('changed');
});

test.each([
  ['repository/.git/config', (site: Site) => linkTo(site, 'config', 'a file')],
  ['repository/.git/info', (site: Site) => linkTo(site, 'info', 'a folder')],
  ['repository/.git/COMMIT_EDITMSG', (site: Site) => linkTo(site, 'COMMIT_EDITMSG', 'a file')],
  [
    'core.worktree in repository/.git/config',
    ({ top, home, git }: Site) => git(top, 'config', 'core.worktree', home),
  ],
])('what git reads or writes is refused outside, by the name of %s', async (name, plant) => {
  const site = siteOf();
  plant(site);
  const client = await served.client([site.root], { extra: { trust: [site.top] } });
  const { code, text } = await call(client, 'git_status', { repo_path: site.top });
  expect([code, text]).toEqual(['not-found', expect.stringContaining(`: ${name} leads to what is missing`)]);
});

test.each(['main', 'linked'])(
  "an include of the operator's for a folder holds in every run of git in a %s work tree",
  async (kind) => {
    const { root, home, top, git } = siteOf();
    git(top, 'config', '--unset', 'user.email');
    writeFileSync(
      join(home, '.gitconfig'),
      `[user]\n\temail = home@x\n[includeIf "gitdir:${root}/"]\n\tpath = work\n`,
    );
    writeFileSync(join(home, 'work'), '[user]\n\temail = work@x\n');
    git(top, 'worktree', 'add', '--quiet', '../linked', 'side');
    const [repo_path, branch_name] = kind === 'main' ? [top, 'main'] : [join(root, 'linked'), 'side'];
    const client = await served.client([root]);
    await call(client, 'git_commit', { repo_path, message: 'x', allow_empty: true });
    await call(client, 'git_update_branch', { repo_path, action: 'rename', branch_name, new_name: 'new' });
    const emails = git(top, 'reflog', '-2', '--format=%ge', 'new').toString().split('\n');
    expect(emails.slice(0, 2)).toEqual(['work@x', 'work@x']);
  },
);

test('a clone and a new repository get no template, neither its hooks nor its links', async () => {
  const { root, home, top, write } = siteOf();
  write('home/template/hooks/pre-commit', '#!/bin/sh\n', 0o755);
  symlinkSync(home, join(home, 'template', 'lfs'));
  writeFileSync(join(home, '.gitconfig'), `[init]\n\ttemplateDir = ${home}/template\n`);
  const client = await served.client([root], { extra: { 'allow-protocol': ['file'] } });
  const [clone, made] = [join(root, 'clone'), join(root, 'made')];
  expect((await call(client, 'git_clone', { url: top, path: clone })).failed).toBe(false);
  expect((await call(client, 'git_init', { repo_path: made })).failed).toBe(false);
  const entries = ['hooks', 'lfs'].flatMap((name) =>
    [clone, made].map((path) => existsSync(join(path, '.git', name))),
  );
  expect(entries).toEqual([false, false, false, false]);
});

/** A setting whose file is obeyed without trust where it is in the work tree, and a call whose text shows it. */
interface Obeyed {
  readonly key: string;
  readonly content: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly shows: (text: string) => boolean;
}

const obeyed: readonly Obeyed[] = [
  {
    key: 'core.excludesfile',
    content: 'loose\n',
    tool: 'git_status',
    args: {},
    shows: (text) => !text.includes('?? loose'),
  },
  {
    key: 'core.attributesfile',
    content: 'a binary\n',
    tool: 'git_diff',
    args: {},
    shows: (text) => text.includes('Binary files a/a and b/a differ'),
  },
  {
    key: 'diff.orderfile',
    content: 'b\na\n',
    tool: 'git_diff',
    args: { target: 'HEAD~1..HEAD' },
    shows: (text) => text.indexOf('M b') < text.indexOf('M a'),
  },
  {
    key: 'mailmap.file',
    content: 'Zoe <zoe@example.org> <ann@example.org>\n',
    tool: 'git_blame',
    args: { path: 'b' },
    shows: (text) => text.includes('Zoe'),
  },
  {
    key: 'blame.ignorerevsfile',
    content: '<second>\n',
    tool: 'git_blame',
    args: { path: 'b' },
    shows: (text) => text.includes(': first'),
  },
];

type Planted = (site: Site, key: string, content: string) => void;

function set({ top, git }: Site, key: string, value: string): void {
  git(top, 'config', '--add', key, value);
}

const inWorkTree: readonly (readonly [where: string, plant: Planted])[] = [
  [
    'by a path from the top',
    (site, key, content) => {
      site.write('root/repository/named', content);
      set(site, key, 'named');
    },
  ],
  ['by its whole path', (site, key, content) => set(site, key, site.write('root/repository/named', content))],
  [
    'by a link in it',
    (site, key, content) => {
      site.write('root/repository/named', content);
      symlinkSync('named', join(site.top, 'link'));
      set(site, key, 'link');
    },
  ],
];

const elsewhere: typeof inWorkTree = [
  ['outside', (site, key, content) => set(site, key, site.write('home/named', content))],
  ['in the root', (site, key, content) => set(site, key, site.write('root/named', content))],
  [
    'in the git dir',
    (site, key, content) => set(site, key, site.write('root/repository/.git/named', content)),
  ],
  ['at a denied name', (site, key, content) => set(site, key, site.write('root/repository/.env', content))],
  [
    'behind a link to outside',
    (site, key, content) => {
      symlinkSync(site.write('home/named', content), join(site.top, 'link'));
      set(site, key, 'link');
    },
  ],
];

function secondCommit(site: Site): string {
  const { top, git, write } = site;
  write('root/repository/a', 'one\n');
  write('root/repository/b', 'some words of b\n');
  git(top, 'add', '.');
  git(top, 'commit', '--quiet', '-m', 'first');
  for (const name of ['a', 'b']) write(`root/repository/${name}`, `some other words of ${name}\n`);
  git(top, 'commit', '--quiet', '-am', 'second');
  write('root/repository/a', 'changed\n');
  write('root/repository/loose', '');
  return git(top, 'rev-parse', 'HEAD').toString().trim();
}

describe.each(obeyed.map((each) => [each.key, each] as const))(
  '%s',
  (key, { content, tool, args, shows }) => {
    const ask = async (plant: Planted) => {
      const site = siteOf();
      plant(site, key, content.replace('<second>', secondCommit(site)));
      const client = await served.client([site.root]);
      const { text } = await call(client, tool, { repo_path: site.top, ...args });
      const overview = await call<{ suppressed: { key: string }[] }>(client, 'git_overview', {
        repo_path: site.top,
      });
      return [shows(text), overview.facts.suppressed.map((each) => each.key)];
    };

    test.each(inWorkTree)(
      'is obeyed without trust where its file is in the work tree, %s',
      async (_, plant) => {
        expect(await ask(plant)).toEqual([true, []]);
      },
    );

    test.each(elsewhere)('is not obeyed without trust where its file is %s', async (_, plant) => {
      expect(await ask(plant)).toEqual([false, [key]]);
    });
  },
);

describe.each(obeyed.map((each) => [each.key, each] as const))(
  "the operator's %s with a path from the top",
  (key, { content, tool, args, shows }) => {
    test.each([
      ['a file', true, (site: Site, text: string) => site.write('root/repository/named', text)],
      [
        'a link to outside',
        false,
        (site: Site, text: string) => symlinkSync(site.write('home/secret', text), join(site.top, 'named')),
      ],
    ])('is obeyed where it is %s: %s', async (_, expected, plant) => {
      const site = siteOf();
      const text = content.replace('<second>', secondCommit(site));
      plant(site, text);
      const file = join(site.home, '.gitconfig');
      site.git(site.home, 'config', '--file', file, key, 'named');
      const client = await served.client([site.root]);
      const answer = await call(client, tool, { repo_path: site.top, ...args });
      expect([answer.failed, shows(answer.text)]).toEqual([false, expected]);
    });
  },
);

test('a file outside is not quoted, to which a link in a repository leads that the operator expects there', async () => {
  const site = siteOf();
  const { root, top, home, git, write } = site;
  symlinkSync(write('home/named', `${secret} line\n`), join(top, '.git-blame-ignore-revs'));
  git(top, 'config', '--file', join(home, '.gitconfig'), 'blame.ignoreRevsFile', '.git-blame-ignore-revs');
  const client = await served.client([root]);
  const { failed, text } = await call(client, 'git_blame', { repo_path: top, path: 'a' });
  expect([failed, text.includes(secret)]).toEqual([false, false]);
});

test('an earlier value of a setting is not obeyed in the place of the last', async () => {
  const site = siteOf();
  const { root, top, write } = site;
  write('root/repository/loose', '');
  set(site, 'core.excludesFile', write('root/repository/named', 'loose\n'));
  set(site, 'core.excludesFile', write('home/named', ''));
  const client = await served.client([root]);
  const { text } = await call(client, 'git_status', { repo_path: top });
  expect(text).toContain('?? loose');
});
