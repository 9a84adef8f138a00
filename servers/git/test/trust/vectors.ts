import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Site, Vector } from './hostile.ts';
import { remoteVectors } from './remote-vectors.ts';

const attributes = (site: Site, line: string) => {
  site.write('.gitattributes', `${line}\n`);
  site.git('add', '.gitattributes');
  site.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'attributes');
};
const monitor = (site: Site) => `[core]\n\tfsmonitor = ${site.payload}\n`;
const monitored = [['status'], ['diff'], ['ls-files'], ['add', 'other.txt']];
const hooks = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-merge-commit', 'post-merge'],
  ...[
    'pre-rebase',
    'post-rewrite',
    'post-checkout',
    'pre-push',
    'reference-transaction',
    'post-index-change',
  ],
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-auto-gc', 'sendemail-validate'],
];
const hooked = [
  ['status'],
  ['commit', '-m', 'x', '--allow-empty'],
  ['switch', 'side'],
  ['push', 'origin', 'HEAD:new'],
];

/** Gives the commit at HEAD a signature that nobody made. */
function sign(site: Site): void {
  const [headers, ...rest] = site.git('cat-file', 'commit', 'HEAD').split('\n\n');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----';
  site.write('commit', [`${headers}\n${signature}`, ...rest].join('\n\n'));
  const oid = site.git('hash-object', '-t', 'commit', '-w', 'commit').trim();
  rmSync(join(site.repository, 'commit'));
  site.git('update-ref', 'HEAD', oid);
}

const drivers: readonly Vector[] = [
  {
    name: 'diff.external',
    plant: (site) => site.set('diff.external', site.payload),
    fires: [['diff'], ['show', '--ext-diff']],
    stoppedBy: 'configuration',
    listed: ['diff.external'],
  },
  {
    name: 'diff.<driver>.command',
    plant: (site) => {
      attributes(site, '* diff=evil');
      site.set('diff.evil.command', site.payload);
    },
    fires: [['diff'], ['log', '-p', '--ext-diff']],
    stoppedBy: 'configuration',
    listed: ['diff.evil.command'],
  },
  {
    name: 'diff.<driver>.textconv, cached',
    plant: (site) => {
      attributes(site, '* diff=evil');
      site.set('diff.evil.textconv', `'${site.payload}'; cat`);
      site.set('diff.evil.cachetextconv', 'true');
    },
    fires: [
      ['diff'],
      ['show', 'main~1'],
      ['log', '-p'],
      ['blame', 'file.txt'],
      ['log', '-Gmain'],
      ['log', '-Smain'],
    ],
    stoppedBy: 'configuration',
    listed: ['diff.evil.textconv', 'diff.evil.cachetextconv'],
  },
  ...['clean', 'process'].map(
    (name): Vector => ({
      name: `filter.<driver>.${name}`,
      plant: (site) => {
        attributes(site, '* filter=evil');
        site.set(`filter.evil.${name}`, site.copier);
        site.set('filter.evil.required', 'true');
      },
      fires: [['status'], ['diff'], ['add', 'other.txt'], ['commit', '-am', 'x'], ['blame', 'other.txt']],
      stoppedBy: 'configuration',
      listed: [`filter.evil.${name}`],
    }),
  ),
  {
    name: 'filter.<driver>.smudge',
    plant: (site) => {
      attributes(site, '* filter=evil');
      site.set('filter.evil.smudge', site.copier);
    },
    fires: [
      ['restore', 'other.txt'],
      ['checkout', 'main~1', '--', 'file.txt'],
      ['archive', 'HEAD'],
    ],
    stoppedBy: 'configuration',
    listed: ['filter.evil.smudge'],
  },
  {
    name: 'a filter whose driver has dots, quotes, equal signs and a backslash in its name',
    plant: (site) => {
      attributes(site, '* filter=a.b"q"\\x=y.é');
      site.set('filter.a.b"q"\\x=y.é.clean', site.copier);
    },
    fires: [['status'], ['add', 'other.txt']],
    stoppedBy: 'configuration',
    listed: ['filter.a.b"q"\\x=y.é.clean'],
  },
  {
    name: 'core.attributesFile that gives every file a filter',
    plant: (site) => {
      site.write('../attributes', '* filter=evil\n');
      site.set('core.attributesFile', '../attributes');
      site.set('filter.evil.clean', site.copier);
    },
    fires: [['status'], ['add', 'other.txt']],
    stoppedBy: 'configuration',
    listed: ['core.attributesfile', 'filter.evil.clean'],
  },
  {
    name: 'merge.<driver>.driver',
    plant: (site) => {
      attributes(site, '* merge=evil');
      site.set('merge.evil.driver', `'${site.payload}' %A; false`);
    },
    fires: [
      ['merge', 'side'],
      ['merge-tree', '--write-tree', 'main', 'side'],
      ['cherry-pick', 'side'],
    ],
    stoppedBy: 'configuration',
    listed: ['merge.evil.driver'],
  },
  {
    name: 'merge.default that names a driver',
    plant: (site) => {
      site.set('merge.default', 'evil');
      site.set('merge.evil.driver', `'${site.payload}' %A; false`);
    },
    fires: [
      ['merge', 'side'],
      ['rebase', '--autostash', 'side'],
    ],
    stoppedBy: 'configuration',
    listed: ['merge.evil.driver'],
  },
  {
    name: 'trailer.<name>.command and cmd',
    plant: (site) => {
      site.set('trailer.evil.command', site.payload);
      site.set('trailer.worse.cmd', site.payload);
    },
    fires: [
      ['commit', '--allow-empty', '-m', 'x', '--trailer', 'a=b'],
      { args: ['interpret-trailers', '--trailer', 'a=b'], input: 'x\n' },
    ],
    stoppedBy: 'configuration',
    listed: ['trailer.evil.command', 'trailer.worse.cmd'],
  },
];

const monitors: readonly Vector[] = [
  {
    name: 'core.fsmonitor',
    plant: (site) => site.set('core.fsmonitor', site.payload),
    fires: [...monitored, ['grep', 'one'], ['blame', 'file.txt'], ['check-ignore', 'x'], ['fetch']],
    stoppedBy: 'configuration',
    listed: ['core.fsmonitor'],
  },
  {
    name: 'core.fsmonitor through include.path',
    plant: (site) => {
      site.write('.git/more', monitor(site));
      site.set('include.path', 'more');
    },
    fires: monitored,
    stoppedBy: 'configuration',
    listed: ['core.fsmonitor'],
  },
  ...['gitdir:**', 'gitdir/i:**', 'onbranch:main', 'hasconfig:remote.*.url:../remote.git'].map(
    (condition): Vector => ({
      name: `a filter through includeIf ${condition}`,
      plant: (site) => {
        attributes(site, '* filter=evil');
        site.write('more', `[filter "evil"]\n\tclean = "${site.copier}"\n\tsmudge = "${site.copier}"\n`);
        site.set(`includeIf.${condition}.path`, '../more');
      },
      fires: [['status'], ['add', 'other.txt']],
      stoppedBy: 'configuration',
      listed: ['filter.evil.clean'],
    }),
  ),
  {
    name: 'a filter through includeIf of a branch that is switched to',
    plant: (site) => {
      attributes(site, '* filter=evil');
      site.git('branch', '-f', 'side');
      site.write('more', `[filter "evil"]\n\tclean = "${site.copier}"\n\tsmudge = "${site.copier}"\n`);
      site.set('includeIf.onbranch:side.path', '../more');
    },
    fires: [{ args: ['-c', 'alias.both=!git switch side && git add .', 'both'] }],
    stoppedBy: 'configuration',
    listed: ['filter.evil.clean'],
  },
  {
    name: 'core.fsmonitor in config.worktree',
    plant: (site) => {
      site.set('extensions.worktreeConfig', 'true');
      site.write('.git/config.worktree', monitor(site));
    },
    fires: monitored,
    stoppedBy: 'configuration',
    listed: ['core.fsmonitor'],
  },
  {
    name: 'a bare repository inside the work tree',
    plant: (site) => {
      site.git('clone', '--quiet', '--bare', '../remote.git', 'inner');
      site.write('inner/work/x', 'x');
      site.git('config', '--file', 'inner/config', 'core.fsmonitor', site.payload);
      site.git('config', '--file', 'inner/config', 'core.bare', 'false');
      site.git('config', '--file', 'inner/config', 'core.worktree', 'work');
    },
    fires: [{ args: ['status'], within: 'inner' }],
    stoppedBy: 'configuration',
    listed: [],
  },
];

const programs: readonly Vector[] = [
  {
    name: 'hooks in .git/hooks',
    plant: (site) => {
      for (const hook of hooks) site.write(`.git/hooks/${hook}`, `#!/bin/sh\n'${site.payload}'\n`, 0o755);
    },
    fires: hooked,
    stoppedBy: 'configuration',
    listed: hooks.map((hook) => `hooks/${hook}`),
  },
  {
    name: 'core.hooksPath',
    plant: (site) => {
      for (const hook of hooks) site.write(`tracked/${hook}`, `#!/bin/sh\n'${site.payload}'\n`, 0o755);
      site.set('core.hooksPath', 'tracked');
    },
    fires: hooked,
    stoppedBy: 'configuration',
    listed: ['core.hookspath'],
  },
  {
    name: 'log.showSignature with gpg.program',
    plant: (site) => {
      sign(site);
      site.set('log.showSignature', 'true');
      site.set('gpg.program', site.payload);
    },
    fires: [['log'], ['show'], ['verify-commit', 'HEAD'], ['log', '--format=%G?']],
    stoppedBy: 'configuration',
    listed: ['gpg.program'],
  },
  {
    name: 'commit.gpgSign and tag.gpgSign with gpg.program',
    plant: (site) => {
      for (const key of ['commit.gpgSign', 'tag.gpgSign', 'push.gpgSign']) site.set(key, 'true');
      site.set('gpg.program', site.payload);
    },
    fires: [
      ['commit', '--allow-empty', '-m', 'x'],
      ['tag', '-m', 'x', 'v2'],
      ['merge', '-Xours', '-m', 'x', 'side'],
    ],
    stoppedBy: 'configuration',
    listed: ['gpg.program'],
  },
  ...(['openpgp', 'x509', 'ssh'] as const).map(
    (format): Vector => ({
      name: `gpg.${format}.program`,
      plant: (site) => {
        site.set('commit.gpgSign', 'true');
        site.set('gpg.format', format);
        site.set('user.signingKey', 'key::ssh-ed25519 AAAA');
        site.set(`gpg.${format}.program`, site.payload);
      },
      fires: [
        ['commit', '--allow-empty', '-m', 'x'],
        ['commit', '-S', '--allow-empty', '-m', 'x'],
      ],
      stoppedBy: 'configuration',
      listed: [`gpg.${format}.program`],
    }),
  ),
  {
    name: 'gpg.ssh.defaultKeyCommand',
    plant: (site) => {
      site.set('commit.gpgSign', 'true');
      site.set('gpg.format', 'ssh');
      site.set('gpg.ssh.defaultKeyCommand', site.payload);
    },
    fires: [
      ['commit', '--allow-empty', '-m', 'x'],
      ['commit', '-S', '--allow-empty', '-m', 'x'],
    ],
    stoppedBy: 'configuration',
    listed: ['gpg.ssh.defaultkeycommand'],
  },
  {
    name: 'core.editor',
    plant: (site) => site.set('core.editor', site.payload),
    fires: [
      ['commit', '--allow-empty'],
      ['merge', '-Xours', '--edit', 'side'],
    ],
    stoppedBy: 'executor',
    listed: ['core.editor'],
  },
  {
    name: 'sequence.editor',
    plant: (site) => site.set('sequence.editor', site.payload),
    fires: [['rebase', '-i', '--autostash', 'HEAD~1']],
    stoppedBy: 'executor',
    listed: ['sequence.editor'],
  },
  {
    name: 'core.pager and pager.<verb>',
    plant: (site) => {
      site.set('core.pager', site.payload);
      site.set('pager.log', site.payload);
      site.set('pager.status', site.payload);
    },
    fires: [{ args: ['-c', 'alias.seen=!script -qec "git log" /dev/null', 'seen'] }],
    stoppedBy: 'executor',
    listed: ['core.pager', 'pager.log', 'pager.status'],
  },
  {
    name: 'interactive.diffFilter',
    plant: (site) => {
      site.set('interactive.diffFilter', site.copier);
      for (const key of ['ui', 'interactive', 'diff']) site.set(`color.${key}`, 'always');
    },
    fires: [
      { args: ['-c', 'alias.seen=!TERM=xterm script -qec "git add -p" /dev/null', 'seen'], input: 'q\n' },
    ],
    stoppedBy: 'executor',
    listed: ['interactive.difffilter'],
  },
  {
    name: 'alias.<name>',
    plant: (site) => {
      for (const name of ['evil', 'status', 'log', 'commit', 'lfs'])
        site.set(`alias.${name}`, `!${site.payload}`);
    },
    fires: [['evil'], ['lfs']],
    stoppedBy: 'executor',
    listed: ['alias.evil', 'alias.status'],
  },
  {
    name: 'difftool and mergetool commands',
    plant: (site) => {
      for (const kind of ['difftool', 'mergetool']) site.set(`${kind}.evil.cmd`, site.payload);
      site.set('diff.tool', 'evil');
    },
    fires: [['difftool', '-y', 'HEAD']],
    stoppedBy: 'executor',
    listed: ['difftool.evil.cmd'],
  },
];

/** Every vector that git itself honours in the configuration of a repository. */
export const vectors: readonly Vector[] = [...monitors, ...drivers, ...programs, ...remoteVectors];
