import { chownSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Here } from '../case.ts';

const isRoot = process.getuid?.() === 0;

/** Gives the repository a submodule with recorders of its own, at another commit than the one that is recorded. */
function nest(here: Here): void {
  const { site, top } = here;
  const module = join(top, 'module');
  here.git('submodule', '--quiet', 'add', site.origin, 'module');
  here.git('commit', '-qm', 'module', '.gitmodules', 'module');
  const gitDir = site.git(module, 'rev-parse', '--absolute-git-dir').trim();
  for (const hook of ['post-checkout', 'post-index-change'])
    site.write(join(gitDir, 'hooks', hook), site.recorder.script(`hooks/${hook}`), 0o755);
  site.settleCopies(module);
  site.git(module, 'switch', '-q', '--detach', 'HEAD~1');
  site.settle(module);
}

/** Cases of repositories in each other, and of their owners. */
export const nesting: readonly Case[] = [
  {
    name: 'a status that looks into a submodule',
    places: ['main', 'linked'],
    prepare: (here) => {
      nest(here);
      here.site.record(join(here.top, 'module'), 'core.fsmonitor', 'monitor');
    },
    byHand: () => [['status']],
    calls: () => [['git_status']],
    starts: ['core.fsmonitor'],
    reads: true,
  },
  {
    name: 'a submodule that is updated',
    places: ['main'],
    prepare: nest,
    byHand: () => [['submodule', 'update']],
    calls: () => [['git_update_submodules', { action: 'update' }]],
    starts: ['hooks/post-checkout'],
    differs: ['submodules'],
  },
  {
    name: 'a submodule that is updated by a command',
    places: ['main'],
    prepare: (here) => {
      nest(here);
      here.site.record(here.top, 'submodule.module.update', 'hook');
      here.set('submodule.module.update', `!${here.git('config', 'submodule.module.update')}`);
    },
    byHand: () => [['submodule', 'update']],
    calls: () => [['git_update_submodules', { action: 'update' }]],
    starts: ['submodule.module.update'],
    differs: ['submodules'],
  },
  {
    name: 'a switch that would take submodules along',
    places: ['main'],
    prepare: (here) => {
      nest(here);
      here.git('submodule', '--quiet', 'update');
      here.site.settle(join(here.top, 'module'));
      here.git('branch', 'before', 'HEAD~1');
      here.set('submodule.recurse', 'true');
    },
    byHand: () => [['switch', 'before']],
    calls: () => [['git_checkout', { branch_name: 'before' }]],
    starts: ['hooks/post-checkout'],
    differs: ['submodules'],
  },
  ...(isRoot
    ? [
        {
          name: 'a commit in a repository of another user, which the operator has said to be safe',
          places: ['main'],
          prepare: (here: Here) => here.stage(),
          before: ({ top }: Here) => {
            for (const path of [top, join(top, '.git')]) chownSync(path, 65_534, 65_534);
          },
          byHand: () => [['commit', '-m', 'x']],
          calls: () => [['git_commit', { message: 'x' }]],
          starts: ['hooks/pre-commit', 'hooks/prepare-commit-msg', 'hooks/commit-msg', 'hooks/post-commit'],
          differs: ['owner'],
        } satisfies Case,
      ]
    : []),
];
