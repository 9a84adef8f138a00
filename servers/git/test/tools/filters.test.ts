import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

interface Site extends Scratch {
  readonly root: string;
  readonly top: string;
  readonly home: string;
}

/** A repository with a branch `side`, for an operator with a home of its own. */
function siteOf(attributes: string): Site {
  const made = scratch();
  const { folder, git, write } = made;
  const [root, home] = [join(folder, 'root'), join(folder, 'home')];
  const top = join(root, 'repository');
  mkdirSync(top, { recursive: true });
  mkdirSync(home);
  git(top, 'init', '--quiet');
  git(top, 'config', 'user.name', 'Ann Example');
  git(top, 'config', 'user.email', 'ann@example.org');
  write('root/repository/.gitattributes', attributes);
  write('root/repository/a.bin', 'ONE\n');
  git(top, 'add', '.');
  git(top, 'commit', '--quiet', '-m', 'one');
  git(top, 'switch', '--quiet', '-c', 'side');
  write('root/repository/a.bin', 'SIDE\n');
  git(top, 'commit', '--quiet', '-am', 'side');
  git(top, 'switch', '--quiet', 'main');
  for (const key of Object.keys(process.env)) if (key.startsWith('GIT_')) vi.stubEnv(key, undefined);
  const own = { HOME: home, XDG_CONFIG_HOME: undefined, GIT_CONFIG_NOSYSTEM: '1' };
  for (const [key, value] of Object.entries(own)) vi.stubEnv(key, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { ...made, root, top, home };
}

const upper = '\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n';

/** Checks the file out through a filter of the repository, and has git look at its content again. */
function filtered(name: string): Site {
  const site = siteOf(`*.bin filter=${name}\n`);
  appendFileSync(join(site.top, '.git', 'config'), `[filter "${name}"]\n${upper}`);
  const file = join(site.top, 'a.bin');
  writeFileSync(file, 'one\n');
  utimesSync(file, 1, 1);
  return site;
}

interface Facts {
  readonly entries: readonly { readonly path: string; readonly filter_off?: string }[];
  readonly filters_off?: readonly string[];
}

test.each([
  [
    'git-crypt',
    /^off, as the repository is not trusted: filter git-crypt\. .* --trust .*global configuration$/,
  ],
  ['lfs', /filter lfs\. .*\(git lfs install\)$/],
])(
  'a file that only the filter %s shows as unchanged has that filter in the result',
  async (name, notice) => {
    const { root, top, git } = filtered(name);
    expect(git(top, 'status', '--porcelain').toString()).toBe('');
    utimesSync(join(top, 'a.bin'), 2, 2);
    const client = await served.client([root]);
    const { text, facts } = await call<Facts>(client, 'git_status', { repo_path: top });
    expect(text.split('\n')).toEqual([
      'on main',
      `.M a.bin [filter ${name} is off]`,
      expect.stringMatching(notice),
    ]);
    expect(facts.entries).toEqual([{ path: 'a.bin', kind: 'changed', worktree: 'M', filter_off: name }]);
    const overview = await call<Facts>(client, 'git_overview', { repo_path: top });
    expect([overview.facts.filters_off, overview.text.split('\n')]).toEqual([
      [name],
      expect.arrayContaining([expect.stringMatching(notice)]),
    ]);
  },
);

test.each<[string, (site: Site) => Parameters<Served['client']>[1]]>([
  [
    'the operator has the filter',
    ({ home }) => {
      writeFileSync(join(home, '.gitconfig'), `[filter "lfs"]\n${upper}`);
      return {};
    },
  ],
  ['the repository is trusted', ({ top }) => ({ extra: { trust: [top] } })],
])('no filter is named where %s', async (_, allow) => {
  const site = filtered('lfs');
  const client = await served.client([site.root], allow(site));
  const { text } = await call(client, 'git_status', { repo_path: site.top });
  expect(text).toBe('on main\nnothing to commit, nothing changed');
});

test('a file that is changed without a filter has none in the result', async () => {
  const { root, top, write } = filtered('git-crypt');
  write('root/repository/.gitattributes', '*.bin filter=git-crypt\n\n');
  const client = await served.client([root]);
  const { text } = await call(client, 'git_status', { repo_path: top });
  expect(text.split('\n').slice(1, 3)).toEqual(['.M .gitattributes', '.M a.bin [filter git-crypt is off]']);
});

/** Settings whose program is missing, each with its name. */
const missing: readonly (readonly [name: string, attribute: string, settings: string])[] = [
  ['git-lfs', 'filter=lfs', '[filter "lfs"]\n\tprocess = git-lfs filter-process\n\trequired = true\n'],
  [
    'git-lfs',
    'filter=lfs',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\trequired = true\n',
  ],
  ['crypt', 'filter=x', '[filter "x"]\n\tclean = crypt\n\tsmudge = crypt\n\trequired = true\n'],
];

/** Leaves git and the shell on PATH alone. */
function withoutPrograms({ folder }: Site): void {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['git', 'sh']) {
    const found = execFileSync('sh', ['-c', `command -v ${name}`])
      .toString()
      .trim();
    symlinkSync(found, join(bin, name));
  }
  vi.stubEnv('PATH', bin);
}

describe.each(missing)('%s, which is set up as %s and not installed,', (name, attribute, settings) => {
  test.each([
    ['the operator', (site: Site) => join(site.home, '.gitconfig'), []],
    ['a trusted repository', (site: Site) => join(site.top, '.git', 'config'), ['trust']],
  ])('is named where %s has set it up', async (_, file, flags) => {
    const site = siteOf(`*.bin ${attribute}\n`);
    appendFileSync(file(site), settings);
    withoutPrograms(site);
    const extra = Object.fromEntries(flags.map((flag) => [flag, [site.top]]));
    const client = await served.client([site.root], { extra: { ...extra, 'allow-protocol': ['file'] } });
    const words = [`: ${name}, which a filter needs, is missing`, `install ${name} in a folder on the PATH`];
    const calls = [
      ['git_checkout', { repo_path: site.top, branch_name: 'side' }],
      ['git_add', { repo_path: site.top, files: ['a.bin'] }],
      ...(flags.length > 0
        ? []
        : [['git_clone', { url: site.top, path: join(site.root, 'clone') }] as const]),
    ] as const;
    for (const [tool, args] of calls) {
      if (tool === 'git_add') site.write('root/repository/a.bin', 'TWO\n');
      const { code, text } = await call(client, tool, args);
      expect([tool, code]).toEqual([tool, 'missing-program']);
      for (const each of words) expect(text).toContain(each);
    }
  });
});
