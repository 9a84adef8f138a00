import type { Case } from '../case.ts';

const ofCommit = ['hooks/pre-commit', 'hooks/prepare-commit-msg', 'hooks/commit-msg', 'hooks/post-commit'];
const cleaned = ['filter.plain.clean', 'filter.staying.process'];

const signed = (format: string, key: string, program: 'gpg' | 'sshKeygen'): Case => ({
  name: `a commit with a signature of ${format}`,
  prepare: (here) => {
    here.stage();
    here.set('gpg.format', format);
    here.set('user.signingKey', key);
    here.site.record(here.top, `gpg.${format}.program`, program);
  },
  byHand: () => [['commit', '-S', '-m', 'x']],
  calls: () => [['git_commit', { message: 'x', sign: true }]],
  starts: [...ofCommit, `gpg.${format}.program`],
});

export const committing: readonly Case[] = [
  {
    name: 'a commit of what is staged, signed as it is set up',
    everyday: ['linked'],
    prepare: (here) => {
      here.stage();
      here.set('commit.gpgSign', 'true');
    },
    byHand: () => [['commit', '-m', 'x']],
    calls: () => [['git_commit', { message: 'x' }]],
    starts: [...ofCommit, 'gpg.program'],
  },
  {
    name: 'a commit of all that is tracked',
    everyday: ['subfolder'],
    places: ['main', 'linked', 'subfolder', 'elsewhere'],
    prepare: (here) => here.change(),
    byHand: () => [['commit', '-a', '-m', 'x']],
    calls: () => [['git_commit', { message: 'x', all: true }]],
    starts: [...cleaned, ...ofCommit],
    differs: ['looks'],
  },
  {
    name: 'a commit of a path',
    prepare: (here) => here.change(),
    byHand: () => [['commit', '-m', 'x', '--', 'a.plain']],
    calls: () => [['git_commit', { message: 'x', paths: ['a.plain'] }]],
    starts: [...cleaned, ...ofCommit],
    differs: ['looks'],
  },
  {
    name: 'a commit that amends',
    prepare: (here) => here.stage(),
    byHand: () => [['commit', '--amend', '-m', 'x']],
    calls: () => [['git_commit', { message: 'x', amend: true }]],
    starts: [...ofCommit, 'hooks/post-rewrite'],
  },
  {
    name: 'a commit that amends, with the message that there is',
    prepare: (here) => here.stage(),
    byHand: () => [['commit', '--amend', '--no-edit']],
    calls: () => [['git_commit', { amend: true }]],
    starts: [...ofCommit, 'hooks/post-rewrite'],
  },
  {
    name: 'a commit that leaves out what may refuse it',
    prepare: (here) => here.stage(),
    byHand: () => [['commit', '--no-verify', '-m', 'x']],
    calls: () => [['git_commit', { message: 'x', no_verify: true }]],
    starts: ['hooks/prepare-commit-msg', 'hooks/post-commit'],
  },
  signed('x509', 'ann', 'gpg'),
  signed('ssh', 'key::ssh-ed25519 AAAA', 'sshKeygen'),
  {
    name: 'a commit with the key that a command names',
    prepare: (here) => {
      here.stage();
      here.set('gpg.format', 'ssh');
      here.site.record(here.top, 'gpg.ssh.program', 'sshKeygen');
      here.site.record(here.top, 'gpg.ssh.defaultKeyCommand', 'key');
    },
    byHand: () => [['commit', '-S', '-m', 'x']],
    calls: () => [['git_commit', { message: 'x', sign: true }]],
    starts: [...ofCommit, 'gpg.ssh.defaultKeyCommand', 'gpg.ssh.program'],
  },
  {
    name: 'a commit where a monitor tells what has changed',
    everyday: ['main'],
    prepare: (here) => {
      here.stage();
      here.site.record(here.top, 'core.fsmonitor', 'monitor');
    },
    byHand: () => [['commit', '-m', 'x']],
    calls: () => [['git_commit', { message: 'x' }]],
    starts: ['core.fsmonitor', ...ofCommit],
    differs: ['looks'],
  },
  {
    name: 'a commit after which garbage is collected',
    prepare: (here) => {
      here.stage();
      here.litter();
    },
    byHand: () => [['commit', '-m', 'x']],
    calls: () => [['git_commit', { message: 'x' }]],
    starts: [...ofCommit, 'hooks/pre-auto-gc'],
  },
  {
    name: 'a commit that ends a merge',
    prepare: (here) => here.settle('merge', 'clash'),
    byHand: () => [['commit', '--no-edit', '--cleanup=strip']],
    calls: () => [['git_commit']],
    starts: ofCommit,
  },
  {
    name: 'staging of paths',
    prepare: (here) => here.change(),
    byHand: () => [['add', 'a.plain', 'a.staying']],
    calls: () => [['git_add', { files: ['a.plain', 'a.staying'] }]],
    starts: cleaned,
  },
  {
    name: 'staging of all',
    places: ['main', 'linked', 'subfolder', 'elsewhere'],
    prepare: (here) => here.change(),
    byHand: () => [['add', '.']],
    calls: () => [['git_add', { files: ['.'] }]],
    starts: cleaned,
  },
  {
    name: 'staging of what is tracked',
    prepare: (here) => here.change(),
    byHand: () => [['add', '-u']],
    calls: () => [['git_add', { update: true }]],
    starts: cleaned,
  },
  {
    name: 'staging of an intent',
    prepare: (here) => here.write('new.plain', 'new\n'),
    byHand: () => [['add', '-N', 'new.plain']],
    calls: () => [['git_add', { files: ['new.plain'], intent_to_add: true }]],
    starts: [],
  },
  {
    name: 'unstaging of a path',
    prepare: (here) => here.stage(),
    byHand: () => [['reset', '-q', '--', 'a.plain']],
    calls: () => [['git_reset', { paths: ['a.plain'] }]],
    starts: ['filter.plain.clean'],
  },
  {
    name: 'a tag with a message',
    places: ['main', 'linked', 'bare'],
    byHand: () => [['tag', '-m', 'x', 'v2']],
    calls: () => [['git_tag', { tag_name: 'v2', message: 'x' }]],
    starts: [],
  },
  {
    name: 'a tag with a signature',
    places: ['main', 'linked', 'bare'],
    prepare: (here) => here.site.record(here.top, 'gpg.program', 'gpg'),
    byHand: () => [['tag', '-s', '-m', 'x', 'v2']],
    calls: () => [['git_tag', { tag_name: 'v2', message: 'x', sign: true }]],
    starts: ['gpg.program'],
  },
  {
    name: 'a tag without a message, and one that goes',
    places: ['main', 'bare'],
    byHand: () => [
      ['tag', 'v2'],
      ['tag', '-d', 'v1'],
    ],
    calls: () => [
      ['git_tag', { tag_name: 'v2' }],
      ['git_tag', { tag_name: 'v1', delete: true }],
    ],
    starts: [],
  },
];
