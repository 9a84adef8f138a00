import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { auditOf } from '../../src/repository/audit.ts';
import { canStayLocal } from '../../src/repository/facts.ts';
import { Trust } from '../../src/repository/trust.ts';
import { command } from '../../src/run/command.ts';
import { readVersion } from '../../src/run/version.ts';
import { scratch } from '../scratch.ts';
import { opened } from './open-trusted.ts';
import { openedAs } from './running.ts';

const identity = {
  GIT_AUTHOR_NAME: 'Ann Example',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann Example',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
};

function made() {
  const { folder, git: plain, write } = scratch();
  const [root, home] = [join(folder, 'root'), join(folder, 'home')];
  mkdirSync(join(root, 'repository'), { recursive: true });
  mkdirSync(home);
  const path = join(root, 'repository');
  plain(path, 'init', '--quiet');
  const audit = async () => {
    const { git, repository } = opened(root, path, home);
    return { git, repository, audit: await auditOf(git, repository) };
  };
  const set = (key: string, value: string) => void plain(path, 'config', '--add', key, value);
  return { folder, root, home, path, plain, write, audit, set };
}

describe('the audit', () => {
  test('finds nothing in a repository that has nothing', async () => {
    const { audit } = made();
    const { suppressed, facts, given } = (await audit()).audit;
    expect([suppressed, given.operator]).toEqual([[], undefined]);
    expect(facts).toEqual({
      ...{ objectFormat: 'sha1', refFormat: 'files', partial: false, shallow: false },
      ...{ sparse: false, bare: false, lfs: false },
    });
  });

  test('is the same object for as long as nothing changes', async () => {
    const { audit, set } = made();
    // a file that was just written may change once more within the same tick of the clock
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const first = (await audit()).audit;
    expect((await audit()).audit).toBe(first);
    set('user.name', 'Bob Example');
    expect((await audit()).audit).not.toBe(first);
  });

  test('sees a change within the same tick of the clock', async () => {
    const { audit, path } = made();
    const file = join(path, '.git/config');
    const hashes = new Set<string>();
    for (const letter of 'abcdef') {
      writeFileSync(file, `[core]\n\tbare = false\n[filter "x"]\n\tclean = ${letter}\n`);
      hashes.add((await audit()).audit.hash);
    }
    expect(hashes.size).toBe(6);
  });

  test('sees an included file that appears', async () => {
    const { audit, path, set } = made();
    set('include.path', 'more');
    const before = (await audit()).audit.hash;
    writeFileSync(join(path, '.git/more'), '[filter "x"]\n\tclean = y\n');
    const { hash, suppressed } = (await audit()).audit;
    expect(suppressed).toEqual([
      { key: 'include.path', scope: 'local', what: 'include' },
      { key: 'filter.x.clean', scope: 'local', what: 'filter' },
    ]);
    expect(hash).not.toBe(before);
  });

  test('leaves to the operator what the operator has set', async () => {
    const { audit, home } = made();
    writeFileSync(
      join(home, '.gitconfig'),
      '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n[credential]\n\thelper = store\n[core]\n\tsshCommand = ssh -v\n',
    );
    const { suppressed, given, sshCommand } = (await audit()).audit;
    expect([suppressed, given.operator, sshCommand]).toEqual([[], undefined, 'ssh -v']);
  });

  test('gives git nothing of what the repository has set where the operator has set another', async () => {
    const { audit, home, set } = made();
    writeFileSync(join(home, '.gitconfig'), '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n');
    set('filter.lfs.clean', 'evil');
    set('gpg.openpgp.program', 'evil');
    set('http.https://host.invalid.proxy', 'http://evil.invalid');
    const { given, filters } = (await audit()).audit;
    expect([given.config.includes('evil'), given.operator, filters.size]).toEqual([false, undefined, 0]);
  });

  test.each([
    ['include', (path: string) => `[include]\n\tpath = ${path}/more\n`],
    ['includeIf', (path: string) => `[includeIf "gitdir:${path}/"]\n\tpath = ${path}/more\n`],
    [
      'an includeIf that does not hold yet',
      (path: string) => `[includeIf "onbranch:x"]\n\tpath = ${path}/more\n`,
    ],
  ])(
    'does not take for the operator a file in the repository: %s of the global configuration',
    async (_, text) => {
      const { audit, home, path } = made();
      writeFileSync(join(home, '.gitconfig'), text(path));
      writeFileSync(join(path, 'more'), '[filter "x"]\n\tclean = evil\n');
      const { suppressed, given } = (await audit()).audit;
      expect(suppressed.map(({ scope }) => scope)).toContain('global');
      expect(given.operator).not.toMatch(/evil|more/);
    },
  );

  test('does not take for the operator a link of theirs into the repository', async () => {
    const { audit, home, path } = made();
    writeFileSync(join(home, '.gitconfig'), '[include]\n\tpath = link\n');
    symlinkSync(join(path, 'more'), join(home, 'link'));
    writeFileSync(join(path, 'more'), '[filter "x"]\n\tclean = evil\n');
    const { suppressed, given } = (await audit()).audit;
    expect(suppressed.map(({ key }) => key)).toContain('filter.x.clean');
    expect(given.operator).not.toContain('filter');
  });

  test('does not let a program of the operator be one of the repository', async () => {
    const { audit, home } = made();
    writeFileSync(join(home, '.gitconfig'), '[filter "x"]\n\tclean = ./tools/clean\n');
    const { suppressed, given } = (await audit()).audit;
    expect(suppressed).toEqual([{ key: 'filter.x.clean', scope: 'global', what: 'filter' }]);
    expect(given.operator).not.toContain('tools/clean');
  });

  test('tells keys on one line, without credentials, cut', async () => {
    const { audit, set } = made();
    set('credential.https://ann:secret@host.invalid.helper', 'x');
    set(`filter.${'x'.repeat(300)}.clean`, 'x');
    set('filter.\u001b[31m\u202e.clean', 'x');
    const keys = (await audit()).audit.suppressed.map(({ key }) => key);
    expect(keys[0]).not.toContain('secret');
    expect(keys[1]).toHaveLength(120);
    expect(keys[2]).toBe(String.raw`filter.\u001b[31m\u202e.clean`);
  });

  test('keeps a driver from running whose name is not UTF-8', async () => {
    const { audit, path } = made();
    appendFileSync(join(path, '.git/config'), Buffer.from('[filter "caf\xe9"]\n\tclean = x\n', 'latin1'));
    const { suppressed, given } = (await audit()).audit;
    expect([suppressed.map(({ what }) => what), given.config.includes('filter')]).toEqual([
      ['filter'],
      false,
    ]);
  });

  test('keeps git from every file that a setting names', async () => {
    const { audit, set, folder } = made();
    set('blame.ignoreRevsFile', '.ignored-revs');
    set('mailmap.file', join(folder, 'elsewhere'));
    set('core.excludesFile', 'link');
    const { suppressed } = (await audit()).audit;
    expect(suppressed.map(({ key }) => key).sort()).toEqual([
      'blame.ignorerevsfile',
      'core.excludesfile',
      'mailmap.file',
    ]);
  });

  test('says what kind of repository it is', async () => {
    const { root, home, plain } = made();
    plain(root, 'init', '--quiet', '--bare', '--object-format=sha256', 'other.git');
    const other = join(root, 'other.git');
    plain(other, 'config', 'extensions.partialClone', 'origin');
    plain(other, 'config', 'core.sparseCheckout', 'true');
    plain(other, 'config', 'filter.lfs.required', 'true');
    writeFileSync(join(other, 'shallow'), `${'0'.repeat(64)}\n`);
    const { git, repository } = opened(root, other, home);
    expect((await auditOf(git, repository)).facts).toEqual({
      ...{ objectFormat: 'sha256', refFormat: 'files', partial: true, shallow: true },
      ...{ sparse: true, bare: true, lfs: true },
    });
  });
});

test.each([
  ['git version 2.39.3', false],
  ['git version 2.39.5', true],
  ['git version 2.44.0', false],
  ['git version 2.44.1', true],
  ['git version 2.45.0', true],
  ['git version 2.38.9', false],
] as const)('a partial clone is safe with %s: %s', (printed, safe) => {
  expect(canStayLocal(readVersion(printed))).toBe(safe);
});

describe('trust', () => {
  const withHook = () => {
    const site = made();
    const marker = join(site.folder, 'fired');
    const hook = site.write('root/repository/.git/hooks/pre-commit', `#!/bin/sh\n: > '${marker}'\n`, 0o755);
    return { ...site, hook, marker };
  };
  const commit = command('commit', { flags: ['--allow-empty'], options: { '--message': 'x' } });

  test('is nobody’s until it is given', async () => {
    const { audit } = made();
    const { repository, audit: seen } = await audit();
    expect(new Trust([]).stateOf(repository, seen, '')).toBe('untrusted');
  });

  test('lets a hook run at a commit, and the same hook not without it', async () => {
    const { audit, marker } = withHook();
    const { git, repository } = await audit();
    const ran: boolean[] = [];
    for (const state of ['untrusted', 'trusted'] as const) {
      const here = await openedAs(state, git, repository);
      await here.run(commit, { environment: identity });
      ran.push(removed(marker));
    }
    expect(ran).toEqual([false, true]);
  });

  test.each([
    ['the content of a hook', (site: ReturnType<typeof withHook>) => appendFileSync(site.hook, 'evil\n')],
    ['a new hook', ({ hook }) => writeFileSync(`${hook}-x`, 'x', { mode: 0o755 })],
    ['the name of a hook', ({ hook }) => renameSync(hook, join(hook, '../post-commit'))],
    ['whether a hook may be executed', ({ hook }) => chmodSync(hook, 0o644)],
    ['a filter', ({ set }) => set('filter.x.clean', 'z')],
    ['a setting that executes nothing by itself until now', ({ set }) => set('core.sshCommand', 'z')],
    ['where the hooks are', ({ set }) => set('core.hooksPath', 'elsewhere')],
  ] as const satisfies readonly (readonly [string, (site: ReturnType<typeof withHook>) => void])[])(
    'is lost when what changes is %s',
    async (_, change) => {
      const site = withHook();
      const first = await site.audit();
      let changes = 0;
      const trust = new Trust([site.path], () => changes++);
      const states = [trust.stateOf(first.repository, first.audit, '')];
      change(site);
      const second = await site.audit();
      states.push(trust.stateOf(second.repository, second.audit, ''));
      expect([states, changes]).toEqual([['trusted', 'changed'], 2]);
    },
  );

  test('does not come back by itself when what changed is put back', async () => {
    const site = withHook();
    const trust = new Trust([site.path]);
    const states: string[] = [];
    for (const text of ['#!/bin/sh\n', '#!/bin/sh\nevil\n', '#!/bin/sh\n']) {
      writeFileSync(site.hook, text);
      const { repository, audit } = await site.audit();
      states.push(trust.stateOf(repository, audit, ''));
    }
    expect(states).toEqual(['trusted', 'changed', 'changed']);
    const { repository, audit } = await site.audit();
    trust.grant(repository, audit, '');
    expect(trust.stateOf(repository, audit, '')).toBe('trusted');
  });

  test('stays when a setting changes that executes nothing', async () => {
    const site = withHook();
    const trust = new Trust([site.path]);
    const first = await site.audit();
    trust.stateOf(first.repository, first.audit, '');
    site.set('user.name', 'Bob Example');
    const second = await site.audit();
    expect(trust.stateOf(second.repository, second.audit, '')).toBe('trusted');
  });

  test('ends when a hook changes that lies outside the roots', async () => {
    const site = made();
    const hook = site.write('outside/pre-commit', '#!/bin/sh\n', 0o755);
    site.set('core.hooksPath', join(site.folder, 'outside'));
    const trust = new Trust([site.path]);
    const states: string[] = [];
    for (const text of ['', 'evil\n']) {
      appendFileSync(hook, text);
      const { repository, audit } = await site.audit();
      states.push(trust.stateOf(repository, audit, ''));
    }
    expect(states).toEqual(['trusted', 'changed']);
  });
});

/** Whether a file was there, which is then gone. */
function removed(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    // it was not there
    return false;
  }
}
