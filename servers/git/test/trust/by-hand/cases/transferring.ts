import { join } from 'node:path';
import type { Case, Here } from '../case.ts';

const asked = ['credential.helper'];
const ofMerge = [
  'hooks/pre-merge-commit',
  'hooks/prepare-commit-msg',
  'hooks/commit-msg',
  'hooks/post-merge',
];
type Done = Pick<Case, 'byHand' | 'calls'>;
const fetching: Done = { byHand: () => [['fetch']], calls: () => [['git_fetch']] };
const pushing: Done = {
  byHand: (here) => [['push', 'origin', `${here.branch}:new`]],
  calls: (here) => [['git_push', { refs: [`${here.branch}:new`] }]],
};

/** Gives the bare repository a remote of its own, with a password. */
const serveBare = async (here: Here): Promise<void> => {
  here.git('remote', 'remove', 'origin');
  here.git('remote', 'add', 'origin', 'http://host.invalid/');
  await here.serve();
  here.site.record(here.top, 'credential.helper', 'credential');
};

/** Cases that use another repository. */
export const transferring: readonly Case[] = [
  {
    name: 'a fetch over HTTP',
    places: ['main', 'linked', 'subfolder'],
    prepare: (here) => here.serve(),
    ...fetching,
    starts: asked,
  },
  {
    name: 'a fetch over ssh, of a program that is named',
    everyday: ['main'],
    prepare: (here) => {
      here.serveBySsh();
      here.site.record(here.top, 'remote.origin.uploadpack', 'uploadPack');
    },
    ...fetching,
    starts: ['core.sshCommand', 'remote.origin.uploadpack'],
  },
  {
    name: 'a fetch after which garbage is collected',
    prepare: async (here) => {
      await here.serve();
      here.litter();
    },
    ...fetching,
    starts: [...asked, 'hooks/pre-auto-gc'],
  },
  {
    name: 'a fetch from a folder',
    prepare: (here) => here.set('remote.origin.url', here.site.bare),
    ...fetching,
    starts: [],
  },
  {
    name: 'the references of a remote',
    prepare: (here) => here.serve(),
    byHand: () => [['ls-remote', '-q', 'origin']],
    calls: () => [['git_remote', { action: 'list_refs', name: 'origin' }]],
    starts: asked,
    reads: true,
  },
  {
    name: 'a pull that only moves the branch',
    everyday: ['main'],
    prepare: (here) => here.serve(),
    byHand: () => [['pull', '--ff-only']],
    calls: () => [['git_pull']],
    starts: [...asked, 'filter.smudged.smudge', 'hooks/post-merge'],
    differs: ['pull'],
  },
  {
    name: 'a pull that merges',
    places: ['main', 'linked', 'subfolder'],
    prepare: async (here) => {
      here.goAhead();
      await here.serve();
    },
    byHand: () => [['pull', '--no-rebase']],
    calls: () => [['git_pull', { strategy: 'merge' }]],
    starts: [...asked, 'filter.smudged.smudge', ...ofMerge],
    differs: ['pull'],
  },
  {
    name: 'a pull that rebases',
    prepare: async (here) => {
      here.goAhead();
      await here.serve();
    },
    byHand: () => [['pull', '--rebase', 'origin', 'main']],
    calls: () => [['git_pull', { strategy: 'rebase', remote: 'origin', branch: 'main' }]],
    starts: [
      ...[...asked, 'hooks/pre-rebase', 'filter.smudged.smudge', 'hooks/post-checkout'],
      ...['hooks/prepare-commit-msg', 'hooks/post-commit', 'hooks/post-rewrite'],
    ],
    differs: ['pull'],
  },
  {
    name: 'a push over HTTP, with a signature where the other side asks for one',
    everyday: ['main'],
    places: ['main', 'linked', 'subfolder', 'elsewhere'],
    prepare: async (here) => {
      here.goAhead();
      await here.serve();
      here.set('push.gpgSign', 'if-asked');
      here.site.set(here.site.origin, 'receive.certNonceSeed', 'x');
    },
    ...pushing,
    starts: [...asked, 'hooks/pre-push', 'gpg.program'],
    differs: ['looks'],
  },
  {
    name: 'a push over ssh, to a program that is named',
    prepare: (here) => {
      here.goAhead();
      here.serveBySsh();
      here.site.record(here.top, 'remote.origin.receivepack', 'receivePack');
    },
    ...pushing,
    starts: ['core.sshCommand', 'remote.origin.receivepack', 'hooks/pre-push'],
    differs: ['looks'],
  },
  {
    name: 'a push to a folder that is trusted, too',
    everyday: ['linked'],
    prepare: (here) => {
      const { bare, recorder } = here.site;
      here.goAhead();
      here.set('remote.origin.url', bare);
      here.site.set(bare, 'receive.procReceiveRefs', 'refs/heads/for');
      const proc = recorder.script('hooks/proc-receive', 'procReceive');
      here.site.write(join(bare, 'hooks/proc-receive'), proc, 0o755);
    },
    byHand: (here) => [['push', 'origin', `${here.branch}:new`, `${here.branch}:refs/heads/for/x`]],
    calls: (here) => [['git_push', { refs: [`${here.branch}:new`, `${here.branch}:refs/heads/for/x`] }]],
    starts: [
      ...['hooks/pre-push', 'hooks/pre-receive', 'hooks/proc-receive', 'hooks/update', 'hooks/post-receive'],
      'hooks/post-update',
    ],
    differs: ['folder'],
    // the hook has kept what was pushed for itself
    fails: 'changed',
  },
  {
    name: 'a push of a bare repository, and a fetch into it',
    places: ['bare'],
    prepare: serveBare,
    byHand: () => [
      ['push', 'origin', 'side:new'],
      ['fetch', 'origin', 'refs/heads/main'],
    ],
    calls: () => [
      ['git_push', { remote: 'origin', refs: ['side:new'] }],
      ['git_fetch', { remote: 'origin', refs: ['refs/heads/main'] }],
    ],
    starts: [...asked, 'hooks/pre-push'],
    differs: ['looks'],
  },
];
