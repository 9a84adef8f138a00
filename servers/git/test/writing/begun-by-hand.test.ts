import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertKnownStates } from '../../src/repository/states/assert.ts';
import { call, Served } from '../harness.ts';
import { failure } from '../repository/boundary.ts';
import { type GitInput, scratch } from '../scratch.ts';
import { full, sampled } from '../seeds.ts';
import { opened } from '../trust/open-trusted.ts';
import { copyOf } from './diverging.ts';

const served = new Served();
const made = scratch();
const { folder, git } = made;
const any = { okay: [0, 1, 2, 3, 128, 129] } satisfies GitInput;
const first = base();

/** `side` has commits of all kinds, of which the first conflicts with `main`; a third branch has a merge. */
function base(): string {
  const path = join(folder, 'base');
  const commit = (file: string, content: string): void => {
    made.write(join('base', file), content);
    git(path, 'add', '.');
    git(path, 'commit', '-qm', `${file} é\n\nit's [of] "some" words`);
  };
  git(folder, 'init', '-q', path);
  git(path, 'config', 'user.name', "Ann O'Example");
  git(path, 'config', 'user.email', 'ann@example.org');
  commit('a', 'one\n');
  git(path, 'switch', '-qc', 'side');
  commit('a', 'side\n');
  commit('b', 'more\n');
  git(path, 'branch', 'middle');
  commit('a', 'side again\n');
  commit('c', 'most\n');
  git(path, 'switch', '-qc', 'merged', 'side~2');
  commit('d', 'other\n');
  git(path, 'merge', '-q', '--no-ff', '-m', 'a merge', 'side');
  git(path, 'switch', '-q', 'main');
  commit('a', 'main\n');
  git(path, 'clone', '-q', '--bare', '.', '../remote.git');
  git(path, 'remote', 'add', 'origin', '../remote.git');
  git(path, 'fetch', '-q', 'origin');
  return path;
}

interface Start {
  readonly args: readonly string[];
  readonly on?: string;
  /** how the list of steps is edited */
  readonly edit?: string;
  /** a change in the work tree that is not committed */
  readonly dirty?: boolean;
  /** what comes over stdin as mails */
  readonly mails?: string;
  readonly config?: readonly string[];
}

const onto = (...options: string[]): Start => ({ args: ['rebase', ...options, 'main', 'side'] });
const edited = (edit: string, ...options: string[]): Start => ({
  args: ['rebase', '-i', ...options, 'main', 'side'],
  edit,
});
const mailed = (...options: string[]): Start => ({ args: ['am', ...options], mails: 'main~1..side' });

const starts: readonly Start[] = [
  ...[
    [],
    ['-q'],
    ['-v'],
    ['--signoff'],
    ['--no-ff'],
    ['--keep-empty'],
    ['--empty=ask'],
    ['--empty=keep'],
  ].map((options) => onto(...options)),
  ...[
    '--committer-date-is-author-date',
    '--ignore-date',
    '--rerere-autoupdate',
    '--no-rerere-autoupdate',
  ].map((option) => onto(option)),
  ...[
    '-sort',
    '-srecursive',
    '-sresolve',
    '-Xpatience',
    '-Xdiff-algorithm=minimal',
    '-Xfind-renames=50%',
  ].map((option) => onto(option)),
  onto('-Xignore-space-change', '-Xrenormalize'),
  onto('--update-refs'),
  onto('--reschedule-failed-exec'),
  { args: ['rebase', '--root', '--onto', 'main', 'side'] },
  { args: ['rebase', '--root', '-i'], on: 'side', edit: '1s/^pick/edit/' },
  { args: ['rebase', '--rebase-merges', 'main', 'merged'] },
  { args: ['rebase', '-i', '--rebase-merges', 'main', 'merged'], edit: 's/^pick/reword/' },
  { args: ['rebase', '--autostash', 'main'], on: 'side', dirty: true },
  { args: ['rebase', '--autostash', '--apply', 'main'], on: 'side', dirty: true },
  edited('s/^pick/reword/'),
  edited('s/^pick/edit/'),
  edited('2s/^pick/squash/;3s/^pick/fixup/'),
  edited('2s/^pick/fixup -C/;3s/^pick/fixup -c/'),
  edited('2s/^pick/d/;3i break'),
  edited('1i # a comment of somebody\n', '--autosquash'),
  edited('2i label here\n', '--update-refs'),
  { ...edited('2s/^pick/edit/'), config: ['core.commentChar=;'] },
  { ...edited('2s/^pick/edit/'), config: ['rebase.abbreviateCommands=true'] },
  { ...edited('2s/^pick/edit/'), config: ['rebase.instructionFormat=%an %s'] },
  ...[[], ['--whitespace=fix'], ['-C1'], ['--signoff'], ['-q'], ['-v'], ['--ignore-whitespace']].map(
    (options) => onto('--apply', ...options),
  ),
  onto('--apply', '--ignore-date'),
  { ...onto(), config: ['rerere.enabled=true'] },
  ...[
    [],
    ['-x'],
    ['-s'],
    ['-e'],
    ['--allow-empty'],
    ['--keep-redundant-commits'],
    ['--allow-empty-message'],
  ].map((options): Start => ({ args: ['cherry-pick', ...options, 'main~1..side'] })),
  ...[
    '--strategy=ort',
    '--strategy=resolve',
    '-Xpatience',
    '-Xignore-all-space',
    '--rerere-autoupdate',
    '--cleanup=scissors',
  ].map((option): Start => ({ args: ['cherry-pick', option, 'main~1..side'] })),
  { args: ['cherry-pick', '-m1', 'merged', 'side'] },
  { args: ['cherry-pick', 'middle~1'] },
  ...[[], ['-s'], ['--no-edit'], ['--strategy=ort'], ['-Xpatience'], ['--cleanup=strip']].map(
    (options): Start => ({ args: ['revert', ...options, 'side~3', 'side~2'], on: 'side' }),
  ),
  ...[
    [],
    ['-3'],
    ['-s'],
    ['-k'],
    ['-b'],
    ['-c'],
    ['--no-scissors'],
    ['-m'],
    ['-q'],
    ['-u'],
    ['--reject'],
  ].map((options) => mailed(...options)),
  ...['--whitespace=fix', '--exclude=x', '--include=*', '-p1', '-C2', '--quoted-cr=strip', '--keep-cr'].map(
    (option) => mailed(option),
  ),
  mailed('--ignore-date'),
  mailed('--directory=sub/folder', "--exclude=it's"),
  mailed('-3', '--rerere-autoupdate'),
  ...[
    [],
    ['--no-ff'],
    ['-sresolve'],
    ['-Xpatience'],
    ['--no-commit'],
    ['--squash'],
    ['--log'],
    ['--signoff'],
  ].map((options): Start => ({ args: ['merge', ...options, 'side'] })),
  { args: ['merge', 'side'], config: ['rerere.enabled=true'] },
  { args: ['merge', '--autostash', 'middle'], dirty: true },
  { args: ['pull', '--rebase', '--autostash', 'origin', 'main'], on: 'side', dirty: true },
  { args: ['pull', '--no-rebase', 'origin', 'side'] },
  { args: ['bisect', 'start', 'side', 'main~1'] },
  { args: ['bisect', 'start', '--first-parent', 'merged', 'main~1'] },
  { args: ['bisect', 'start', '--term-old=fast', '--term-new=slow', 'side', 'main~1'] },
  { args: ['bisect', 'start', '--no-checkout', 'side', 'main~1'] },
  { args: ['bisect', 'start', 'side', 'main~1', '--', 'a', "it's"] },
];

const nameOfStart = ({ args, edit = '', config = [] }: Start): string => [...args, edit, ...config].join(' ');

function begin(start: Start, name: string): string {
  const path = copyOf(first, name);
  if (start.on !== undefined) git(path, 'switch', '-q', start.on);
  if (start.dirty === true) writeFileSync(join(path, 'other'), 'mine\n');
  if (start.dirty === true) git(path, 'add', 'other');
  const edit = start.edit ?? '';
  const environment = { GIT_SEQUENCE_EDITOR: edit === '' ? ':' : `sed -i -e '${edit}'` };
  const input = start.mails === undefined ? '' : git(path, 'format-patch', '--stdout', start.mails);
  const config = (start.config ?? []).flatMap((each) => ['-c', each]);
  git(path, ...config, ...start.args, { ...any, input, environment });
  return path;
}

const repositoryAt = (path: string) => opened(folder, path, folder).repository;
const inProgress = (path: string): boolean =>
  [
    'rebase-merge',
    'rebase-apply',
    'sequencer',
    'MERGE_MSG',
    'BISECT_LOG',
    'SQUASH_MSG',
    'CHERRY_PICK_HEAD',
  ].some((name) => existsSync(join(path, '.git', name)));

test('each state that plain git leaves in progress is one that the server goes on with', () => {
  const refused: string[] = [];
  const idle: string[] = [];
  for (const [index, start] of sampled([...starts.entries()], 8)) {
    const path = begin(start, `accepted-${index}`);
    if (!inProgress(path)) idle.push(nameOfStart(start));
    try {
      assertKnownStates(repositoryAt(path));
    } catch (error) {
      refused.push(`${nameOfStart(start)}: ${String(error)}`);
    }
    rmSync(path, { recursive: true });
  }
  expect([refused, idle]).toEqual([[], []]);
}, 300_000);

test.each([
  [{ args: ['rebase', '--exec', 'true', 'main', 'side'] }, 'rebase-merge/git-rebase-todo has a line'],
  [{ args: ['rebase', '-s', 'evil', 'main', 'side'] }, 'rebase-merge/strategy is not a strategy'],
  [{ args: ['cherry-pick', '--strategy=evil', 'main~1..side'] }, 'sequencer/opts has a value of strategy'],
] as const)('a command among its steps, or a strategy from elsewhere, is named: %o', (start, named) => {
  const path = begin(start, 'refused');
  const { code, message } = failure(() => assertKnownStates(repositoryAt(path)));
  rmSync(path, { recursive: true });
  expect([code, message.includes(named)]).toEqual(['unsupported', true]);
});

describe('the server ends what plain git began with', () => {
  const steps = [...starts.entries()].filter(([, { args }]) => args[0] !== 'bisect');
  const chosen = sampled(steps, 16);
  test.each(chosen.map(([index, start]) => [nameOfStart(start), index, start] as const))(
    '%s',
    async (_, index, start) => {
      const path = begin(start, `ended-${index}`);
      const client = await served.client([path]);
      for (let turn = 0; turn < 12 && inProgress(path); turn++) {
        writeFileSync(join(path, 'a'), `settled ${turn}\n`);
        git(path, 'add', '-A');
        const step = await call<{ state: string }>(client, 'git_continue', { action: 'continue' });
        const alone = step.code === 'nothing-in-progress';
        const ended = alone
          ? await call(client, 'git_commit', { message: 'settled', allow_empty: true })
          : step.failed || step.facts.state === 'stopped'
            ? await call(client, 'git_continue', { action: 'skip', confirm: true })
            : step;
        expect([step.text, ended.text, ended.code]).not.toContain('unsupported');
        if (alone) break;
      }
      expect(existsSync(join(path, '.git', 'rebase-merge'))).toBe(false);
      expect(existsSync(join(path, '.git', 'rebase-apply'))).toBe(false);
    },
    full ? 300_000 : 120_000,
  );
});
