import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type GitInput, scratch } from '../scratch.ts';
import { full } from '../seeds.ts';
import { copyOf, stateOf } from './diverging.ts';

const served = new Served();
const made = scratch();
const { folder, git } = made;
const stopping = { okay: [0, 1, 128] } satisfies GitInput;
const first = base();

/** `side` conflicts with `main` in `a`, renames a folder, and has a commit of new files; `main` adds to that folder. */
function base(): string {
  const path = join(folder, 'base');
  const commit = (files: Readonly<Record<string, string>>): void => {
    for (const [file, content] of Object.entries(files)) made.write(join('base', file), content);
    git(path, 'add', '.');
    git(path, 'commit', '-qm', Object.keys(files).join(' '));
  };
  git(folder, 'init', '-q', path);
  git(path, 'config', 'user.name', 'Ann Example');
  git(path, 'config', 'user.email', 'ann@example.org');
  commit({
    a: 'one\ntwo\nthree\n',
    'old/x': 'x\n'.repeat(20),
    'old/y': 'y\n'.repeat(20),
    crlf: 'one\r\ntwo\r\n',
  });
  git(path, 'switch', '-qc', 'side');
  commit({ a: 'one\nside\nthree\n' });
  git(path, 'mv', 'old', 'new');
  git(path, 'commit', '-qm', 'fixup! a');
  commit({ n: 'new\n', crlf: 'one\r\nside\r\n' });
  git(path, 'switch', '-q', 'main');
  commit({ a: 'one\nmain\nthree\n', 'old/z': 'z\n' });
  return path;
}

/**
 * Settings that may change the course of a sequence, each with a value that is not the usual one. With
 * `core.commentChar=auto` git takes its own comments into messages, which the tests of messages show otherwise.
 */
const settings: readonly string[] = [
  ...['advice.mergeConflict=false', 'advice.resolveConflict=false', 'advice.sequencerInUse=false'],
  ...[
    'advice.statusHints=false',
    'advice.commitBeforeMerge=false',
    'advice.detachedHead=false',
    'advice.waitingForEditor=false',
  ],
  ...['branch.autoSetupMerge=always', 'branch.autoSetupRebase=always', 'branch.sort=-committerdate'],
  ...[
    'checkout.defaultRemote=origin',
    'checkout.guess=false',
    'checkout.workers=2',
    'checkout.thresholdForParallelism=1',
  ],
  ...[
    'color.ui=always',
    'column.ui=always',
    'core.abbrev=7',
    'core.abbrev=no',
    'core.autocrlf=input',
    'core.autocrlf=true',
  ],
  ...['core.checkStat=minimal', 'core.commentChar=;', 'core.editor=false', 'core.eol=crlf'],
  ...[
    'core.fileMode=false',
    'core.ignoreCase=true',
    'core.logAllRefUpdates=false',
    'core.logAllRefUpdates=always',
  ],
  ...['core.pager=false', 'core.precomposeUnicode=true', 'core.preloadIndex=false', 'core.quotePath=false'],
  ...[
    'core.safecrlf=warn',
    'core.splitIndex=true',
    'core.symlinks=false',
    'core.trustctime=false',
    'core.untrackedCache=true',
  ],
  ...[
    'commit.cleanup=strip',
    'commit.cleanup=scissors',
    'commit.status=false',
    'commit.template=/missing',
    'commit.verbose=2',
  ],
  ...[
    'diff.algorithm=patience',
    'diff.algorithm=histogram',
    'diff.colorMoved=zebra',
    'diff.context=0',
    'diff.dirstat=lines',
  ],
  ...[
    'diff.external=false',
    'diff.ignoreSubmodules=all',
    'diff.indentHeuristic=false',
    'diff.interHunkContext=5',
  ],
  ...['diff.mnemonicPrefix=true', 'diff.noprefix=true', 'diff.orderFile=a', 'diff.relative=true'],
  ...[
    'diff.renameLimit=1',
    'diff.renames=false',
    'diff.renames=copies',
    'diff.statGraphWidth=5',
    'diff.submodule=log',
  ],
  ...[
    'diff.suppressBlankEmpty=true',
    'diff.wsErrorHighlight=all',
    'feature.manyFiles=true',
    'fetch.prune=true',
  ],
  ...['index.threads=1', 'index.version=4', 'log.date=iso', 'log.decorate=full', 'log.showSignature=true'],
  ...[
    'merge.branchdesc=true',
    'merge.conflictStyle=diff3',
    'merge.conflictStyle=zdiff3',
    'merge.directoryRenames=true',
  ],
  ...[
    'merge.directoryRenames=false',
    'merge.ff=false',
    'merge.ff=only',
    'merge.log=true',
    'merge.renames=false',
  ],
  ...[
    'merge.renameLimit=1',
    'merge.renormalize=true',
    'merge.stat=false',
    'merge.suppressDest=main',
    'merge.verbosity=5',
  ],
  ...[
    'merge.autoStash=true',
    'merge.defaultToUpstream=false',
    'pull.ff=only',
    'pull.rebase=true',
    'push.default=nothing',
  ],
  ...[
    'rebase.abbreviateCommands=true',
    'rebase.autoSquash=true',
    'rebase.autoStash=true',
    'rebase.backend=apply',
  ],
  ...[
    'rebase.forkPoint=true',
    'rebase.instructionFormat=%an %s',
    'rebase.missingCommitsCheck=error',
    'rebase.stat=true',
  ],
  ...[
    'rebase.rescheduleFailedExec=true',
    'rebase.updateRefs=true',
    'rerere.enabled=true',
    'rerere.autoUpdate=true',
  ],
  ...['sequence.editor=false', 'stash.showPatch=true', 'status.branch=true', 'status.relativePaths=false'],
  ...['status.renames=copies', 'status.short=true', 'status.showStash=true', 'status.showUntrackedFiles=no'],
  ...['status.submoduleSummary=true', 'submodule.recurse=true', 'user.useConfigOnly=true'],
];

/** Flags for the usual arguments of the tools, where git would read settings. */
const rebase = [
  'rebase',
  '--merge',
  '--no-autosquash',
  '--no-autostash',
  '--no-update-refs',
  '--no-fork-point',
];
const merge = ['merge', '--no-edit', '--ff', '--no-autostash'];

interface Sequence {
  readonly on: string;
  readonly plain: readonly string[];
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const sequences: Readonly<Record<string, Sequence>> = {
  merge: { on: 'main', plain: [...merge, 'side'], tool: 'git_merge', args: { revisions: ['side'] } },
  rebase: { on: 'side', plain: [...rebase, 'main'], tool: 'git_rebase', args: { upstream: 'main' } },
  picks: {
    on: 'main',
    plain: ['cherry-pick', 'side~2', 'side~1', 'side'],
    tool: 'git_cherry_pick',
    args: { commits: ['side~2', 'side~1', 'side'] },
  },
  revert: {
    on: 'side',
    plain: ['revert', '--no-edit', 'side~2'],
    tool: 'git_revert',
    args: { commits: ['side~2'] },
  },
};
const names = Object.keys(sequences);

const cases = settings.flatMap((setting, at) =>
  // the settings take turns with the sequences
  (full ? [at] : at % 8 === 0 ? [at / 8] : []).map((row) => [names[row % names.length]!, setting] as const),
);

const settled = 'one\nsettled\nthree\n';

test.each(cases)('%s goes as by plain git with %s', async (name, setting) => {
  const { on, plain, tool, args } = sequences[name]!;
  const [key, value] = setting.split('=');
  const prepared = (): string => {
    const path = copyOf(first, randomUUID());
    git(path, 'switch', '-q', on);
    git(path, 'config', key!, value!);
    return path;
  };
  const hand = prepared();
  const environment = { GIT_EDITOR: ':', GIT_SEQUENCE_EDITOR: ':' };
  git(hand, ...plain, { ...stopping, environment });
  if (git(hand, 'ls-files', '-u').length > 0) {
    writeFileSync(join(hand, 'a'), settled);
    git(hand, 'add', 'a');
    git(hand, plain[0]!, '--continue', { ...stopping, environment });
  }
  const path = prepared();
  const client = await served.client([path]);
  const begun = await call<{ state: string }>(client, tool, args);
  if (!begun.failed && begun.facts.state === 'conflicts') {
    await call(client, 'git_resolve', { paths: ['a'], content: settled });
    await call(client, 'git_continue', { action: 'continue' });
  }
  expect(stateOf(made, path)).toEqual(stateOf(made, hand));
});
