import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

interface Site extends Scratch {
  readonly root: string;
  readonly top: string;
  readonly payload: string;
  /** Whether the payload ran since this was asked last. */
  fired(): boolean;
  plain(...args: string[]): void;
  /** Adds text to a file of the git dir. */
  add(file: string, text: string): void;
}

/** Settings that take effect later, or elsewhere, than where one looks for them. */
interface Attack {
  readonly name: string;
  plant(site: Site): void;
  /** what runs the payload at a terminal */
  readonly plain: readonly (readonly string[])[];
  readonly calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
  /** what the overview names of it, where it is still there */
  readonly reported?: RegExp;
}

const filter = ({ payload }: Site) => `[filter "evil"]\n\tclean = ${payload}\n\tsmudge = ${payload}\n`;

const attacks: readonly Attack[] = [
  {
    name: 'an include that holds after a switch of branches',
    plant: (site) => {
      site.write('root/x.txt', filter(site));
      site.add('config', '[includeIf "onbranch:side"]\n\tpath = ../../x.txt\n');
      site.write('root/repository/.gitattributes', '* filter=evil\n');
    },
    plain: [
      ['switch', '-q', 'side'],
      ['add', '--renormalize', '.'],
    ],
    calls: [
      ['git_checkout', { branch_name: 'side' }],
      ['git_add', { files: ['a'] }],
      ['git_status', {}],
    ],
    reported: /^include/,
  },
  {
    name: 'an include that holds in a work tree that is made later',
    plant: (site) => {
      site.write('root/x.txt', filter(site));
      site.add('config', '[includeIf "gitdir:**/worktrees/kw"]\n\tpath = ../../x.txt\n');
      site.add('info/attributes', '* filter=evil\n');
    },
    plain: [['worktree', 'add', '-q', '../kw', 'side']],
    calls: [['git_worktree', { action: 'add', path: '../kw', branch_name: 'side' }]],
    reported: /^include/,
  },
  ...[
    ['rebase', ['rebase', 'spare']],
    ['pull', ['pull', '-q', '--rebase', '.', 'spare']],
  ].map(
    ([name, plain]): Attack => ({
      name: `a format of the steps of a rebase with a step of its own, by ${name as string}`,
      plant: (site) => {
        site.add('config', `[rebase]\n\tinstructionFormat = %s%nexec ${site.payload}\n`);
        site.plain('switch', '-q', 'side');
        site.plain('switch', '-q', 'spare');
        site.plain('commit', '-q', '--allow-empty', '-m', 'base');
        site.plain('switch', '-q', 'side');
        site.plain('remote', 'add', 'here', '.');
        site.plain('fetch', '-q', 'here');
        site.plain('branch', '-q', '--set-upstream-to=here/spare');
      },
      plain: [plain as string[]],
      calls:
        name === 'rebase'
          ? [['git_rebase', { upstream: 'spare' }]]
          : [['git_pull', { remote: 'here', branch: 'spare', strategy: 'rebase' }]],
      reported: /^rebase\.instructionformat$/i,
    }),
  ),
  {
    name: 'a filter in the settings of another work tree, which is removed',
    plant: (site) => {
      site.plain('worktree', 'add', '-q', '../kw', 'side');
      site.add('config', '[extensions]\n\tworktreeConfig = true\n');
      site.add('worktrees/kw/config.worktree', filter(site));
      site.add('info/attributes', '* filter=evil\n');
      // of the same size, so that git has to read it
      writeFileSync(join(site.root, 'kw', 'a'), 'SIDE\n');
    },
    plain: [['worktree', 'remove', '../kw']],
    calls: [['git_worktree', { action: 'remove', path: '../kw' }]],
  },
];

function siteOf(): Site {
  const made = scratch();
  const { folder, git, write } = made;
  const root = join(folder, 'root');
  const top = join(root, 'repository');
  const marker = join(folder, 'fired');
  mkdirSync(top, { recursive: true });
  const payload = write('payload', `#!/bin/sh\n: > '${marker}'\ncat\n`, 0o755);
  const plain = (...args: string[]): void => void git(top, ...args, { okay: [0, 1, 128] });
  const commit = (file: string, content: string): void => {
    write(join('root', 'repository', file), content);
    plain('add', '.');
    plain('commit', '-qm', `${file}${content.length}`);
  };
  plain('init', '-q');
  plain('config', 'user.name', 'Ann Example');
  plain('config', 'user.email', 'ann@example.org');
  commit('a', 'one\n');
  plain('branch', 'spare');
  plain('switch', '-qc', 'side');
  commit('a', 'side\n');
  plain('switch', '-q', 'main');
  return {
    ...made,
    ...{ root, top, payload, plain },
    fired: () => {
      const there = existsSync(marker);
      rmSync(marker, { force: true });
      return there;
    },
    add: (file, text) => appendFileSync(join(top, '.git', file), text),
  };
}

/** The same folders for both, one after the other: paths are a part of some attacks. */
function kept(site: Site): { readonly restore: () => void } {
  const copy = `${site.folder}-kept`;
  execFileSync('cp', ['-a', site.root, copy]);
  return {
    restore: () => {
      rmSync(site.root, { recursive: true });
      execFileSync('mv', [copy, site.root]);
    },
  };
}

test.each(attacks.map((attack) => [attack.name, attack] as const))(
  '%s runs its payload in plain git, and nothing here',
  async (_, { plant, plain, calls, reported }) => {
    const site = siteOf();
    plant(site);
    site.fired();
    const before = kept(site);
    for (const args of plain) site.plain(...args);
    expect(site.fired()).toBe(true);
    before.restore();
    const client = await served.client([site.root], { extra: { 'allow-protocol': ['file'] } });
    for (const [tool, args] of calls) {
      await call(client, tool, { repo_path: site.top, ...args });
      expect([tool, site.fired()]).toEqual([tool, false]);
    }
    const { facts } = await call<{ suppressed: { key: string }[] }>(client, 'git_overview', {
      repo_path: site.top,
    });
    const keys = facts.suppressed.map(({ key }) => key);
    expect(keys).toEqual(
      reported === undefined ? [] : expect.arrayContaining([expect.stringMatching(reported)]),
    );
  },
);
