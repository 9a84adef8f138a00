import { type Command, command } from '../../src/run/command.ts';
import { toOid } from '../../src/run/oid.ts';
import {
  fetchSpec,
  pushSpec,
  range,
  refName,
  refPattern,
  remoteName,
  stashEntry,
  toUrl,
} from '../../src/run/operand.ts';
import type { Verb } from '../../src/run/verbs.ts';
import type { Site } from './hostile.ts';

/** For every verb what makes it do most, in an order in which each still finds something to do. */
export function everything(site: Site): Command[] {
  const oid = (revision: string) => toOid(site.git('rev-parse', revision).trim());
  const [main, first, side] = [oid('main'), oid('main~1'), oid('side')];
  const branch = refName('main');
  const origin = remoteName('origin');
  const file = ['file.txt'];
  const patch = Buffer.from('--- a/other.txt\n+++ b/other.txt\n@@ -1 +1 @@\n-other\n+patched\n');
  const say = { '--message': 'x' };
  return [
    command('version'),
    command('config --list', { flags: ['-z'] }),
    command('status', { flags: ['--branch', '--show-stash', '--untracked-files=all', '--ignored=matching'] }),
    command('status', { flags: ['--ahead-behind', '--find-renames'] }),
    command('for-each-ref', { options: { '--format': '%(refname)%00%(upstream:track)%00%(subject)' } }),
    command('symbolic-ref', { names: [refName('HEAD')] }),
    command('rev-parse', { flags: ['--verify'], revisions: [main] }),
    command('ls-tree', { flags: ['-z', '-r', '--full-tree'], revisions: [main] }),
    command('ls-files', {
      flags: ['--cached', '--others', '--exclude-standard', '--stage', '--resolve-undo', '-z'],
    }),
    command('cat-file', { flags: ['-p'], revisions: [main] }),
    command('cat-file', {
      flags: ['--batch-command'],
      input: Buffer.from(`contents ${main}\ncontents main:file.txt\n`),
    }),
    command('check-ignore', { paths: file }),
    command('check-attr', { flags: ['filter', 'working-tree-encoding'], paths: file }),
    command('stash list', { flags: ['-z'], options: { '--format': '%H' } }),
    command('worktree list', { flags: ['--porcelain', '-z'] }),

    command('diff', { flags: ['--patch', '--raw', '--numstat'] }),
    command('diff', { flags: ['--cached', '--patch', '--binary'], revisions: [first] }),
    command('diff', { flags: ['--patch'], revisions: [range(first, main)], paths: file }),
    command('diff-tree', { flags: ['--name-only', '-r', '--root'], revisions: [main] }),
    command('log', {
      flags: ['--raw', '--find-renames', '--graph'],
      options: { '--format': '%H%x00%aN%x00%B' },
    }),
    command('log', { options: { '-S': 'main' }, flags: ['--raw'] }),
    command('log', { options: { '-G': 'main' }, flags: ['--raw', '--first-parent'] }),
    command('rev-list', { flags: ['--all', '--count'] }),
    command('blame', { flags: ['--incremental', '-w', '-C'], paths: file }),
    command('blame', { flags: ['--incremental'], revisions: [main], paths: file }),
    command('grep', { flags: ['--line-number', '--untracked'], options: { '-e': 'one' } }),
    command('grep', { flags: ['--cached'], options: { '-e': 'one' } }),
    command('grep', { options: { '-e': 'one' }, revisions: [main] }),
    command('merge-base', { flags: ['--all'], revisions: [main, side] }),
    command('merge-tree', { flags: ['-z', '--messages'], revisions: [main, side] }),

    command('ls-remote', { names: [origin] }),
    command('ls-remote', { names: [toUrl('https://host.invalid/y')] }),
    command('ls-remote', { names: [toUrl('git://host.invalid/y')] }),
    command('fetch', { flags: ['--prune', '--tags', '--progress'], names: [origin] }),
    command('fetch'),
    command('fetch', {
      names: [origin, fetchSpec(refPattern('refs/heads/*'), refPattern('refs/remotes/origin/*'), true)],
    }),
    command('push', { flags: ['--progress'], names: [origin, pushSpec(main, refName('refs/heads/new'))] }),
    command('push'),
    command('submodule init'),
    command('submodule absorbgitdirs'),
    command('submodule sync'),
    command('clone', { names: [toUrl('https://host.invalid/y')], paths: ['../cloned'] }),

    command('update-index', {
      flags: ['--index-info'],
      input: Buffer.from(`100644 ${oid('main:file.txt')}\tfile.txt\n`),
    }),
    command('symbolic-ref HEAD', { names: [refName('refs/heads/main')] }),
    command('hash-object', { flags: ['-w'], input: Buffer.from('x') }),
    command('apply', { flags: ['--cached', '--check'], input: patch }),
    command('add', { paths: ['.'] }),
    command('add', { flags: ['--renormalize'], paths: ['.'] }),
    command('commit', { flags: ['--allow-empty'], options: { ...say, '--author': 'A <a@b>' } }),
    command('commit', { flags: ['--allow-empty', '--gpg-sign'], options: say }),
    command('commit', { flags: ['--amend', '--no-edit', '--all', '--allow-empty'] }),
    command('tag', { flags: ['--annotate', '--file=-'], input: Buffer.from('x'), names: [refName('v2')] }),
    command('tag', { flags: ['--sign', '--file=-'], input: Buffer.from('x'), names: [refName('v3')] }),
    command('branch', { names: [refName('new')], revisions: [first] }),
    command('branch', { flags: ['--delete', '--force'], names: [refName('new')] }),
    command('rm', { flags: ['--force'], paths: ['other.txt'] }),
    command('restore', { flags: ['--staged', '--worktree'], options: { '--source': first }, paths: ['.'] }),
    command('stash create'),
    command('stash push', { flags: ['--include-untracked'] }),
    command('stash store', { options: say, revisions: [oid('stash')] }),
    command('stash drop', { names: [stashEntry(0)] }),
    command('stash apply', { names: [stashEntry(0)] }),
    command('reset', { flags: ['--hard'], revisions: [main] }),
    command('merge', { flags: ['--no-ff', '--no-edit'], revisions: [side] }),
    command('merge', { flags: ['--abort'] }),
    command('merge', { flags: ['--strategy-option=ours', '--no-edit'], revisions: [side] }),
    command('reset', { flags: ['--hard'], revisions: [main] }),
    command('cherry-pick', { revisions: [side] }),
    command('cherry-pick', { flags: ['--abort'] }),
    command('revert', { flags: ['--no-edit'], revisions: [main] }),
    command('reset', { flags: ['--hard'], revisions: [main] }),
    command('rebase', { flags: ['--autostash'], revisions: [side] }),
    command('rebase', { flags: ['--abort'] }),
    command('am', { flags: ['--abort'] }),
    command('commit-tree', {
      revisions: [toOid(site.git('rev-parse', 'main^{tree}').trim())],
      input: Buffer.from('x'),
    }),
    command('rebase', { flags: ['--interactive', '--autosquash'], revisions: [first] }),
    command('stash branch', { names: [refName('stashed'), stashEntry(0)] }),
    command('switch', { flags: ['--discard-changes'], names: [refName('side')] }),
    command('switch', { flags: ['--discard-changes'], names: [branch] }),
    command('worktree add', { paths: ['../linked'], revisions: [first], flags: ['--detach'] }),
    command('worktree lock', { paths: ['../linked'] }),
    command('worktree unlock', { paths: ['../linked'] }),
    command('worktree move', { paths: ['../linked', '../moved'] }),
    command('worktree repair', { paths: ['../moved'] }),
    command('worktree remove', { paths: ['../moved'], flags: ['--force'] }),
    command('worktree prune'),
    command('bisect start', { revisions: [main, oid('main~1')] }),
    command('bisect good', { revisions: [first] }),
    command('bisect bad', { revisions: [main] }),
    command('bisect skip'),
    command('bisect reset'),
    command('submodule deinit', { flags: ['--force'], paths: ['.'] }),
    command('remote add', { names: [remoteName('more'), toUrl('https://host.invalid/z')] }),
    command('remote rename', { names: [remoteName('more'), remoteName('less')] }),
    command('remote set-url', { names: [remoteName('less'), toUrl('https://host.invalid/z')] }),
    command('remote remove', { names: [remoteName('less')] }),
    command('remote rename', { names: [origin, remoteName('upstream')] }),
    command('remote remove', { names: [remoteName('upstream')] }),
    command('clean', { flags: ['--force', '-d', '-x'] }),
    ...(['--add', '--unset-all'] as const).map((change) =>
      command(`config ${change}`, {
        options: { '--file': `${site.repository}/settings` },
        names: ['a.b', ...(change === '--add' ? ['c'] : [])].map(refName),
      }),
    ),
    command('config --rename-section', {
      options: { '--file': `${site.repository}/.git/config` },
      names: ['core', 'more'].map(refName),
    }),
    command('config --remove-section', {
      options: { '--file': `${site.repository}/.git/config` },
      names: [refName('more')],
    }),
    command('init', { paths: ['../made'] }),
  ];
}

/** The verbs that a list of commands goes through. */
export function verbsOf(commands: readonly Command[]): Set<Verb> {
  return new Set(commands.map(({ verb }) => verb));
}
