import { count, type Hook, hooked, line, remote, rule, word } from './verb-rule.ts';

/** The server names the programs of the other end: the configuration of a remote could name any. */
const uploadPack = '--upload-pack=git-upload-pack';
const receivePack = '--receive-pack=git-receive-pack';

/** The same after assignments of variables, where the other end is a folder. */
const uploading = {
  '--upload-pack': /^(?:GIT_[A-Z_0-9]{1,60}='(?:[^'\0\n]|'\\''){0,4096}' ){1,200}git-upload-pack$/,
} as const;
const receiving = {
  '--receive-pack': /^(?:GIT_[A-Z_0-9]{1,60}='(?:[^'\0\n]|'\\''){0,4096}' ){1,200}git-receive-pack$/,
} as const;

const onRefs: readonly Hook[] = ['reference-transaction'];
const transfer = { ...remote, writes: true, hooks: onRefs } as const;

/** Verbs that communicate with another repository. */
export const transferring = {
  clone: rule({
    pathspecs: false,
    ...transfer,
    hooks: ['post-checkout', ...onRefs],
    // not by copying files: the other repository's could be links to anywhere
    always: [uploadPack, '--no-local', '--no-recurse-submodules'],
    flags: ['--bare', '--no-checkout', '--single-branch', '--no-single-branch', '--progress'],
    options: {
      ...uploading,
      '--depth': count,
      '--filter': /^(?:blob:none|blob:limit=\d+[kmg]?|tree:\d+)$/,
      '--branch': word,
    },
    layout: ['--', 'names', 'paths'],
  }),
  // not `--all` or `--multiple`: the fetches that git then starts do not get the upload pack
  fetch: rule({
    ...transfer,
    heads: true,
    always: ['--no-recurse-submodules'],
    confining: [uploadPack, '--no-auto-maintenance'],
    flags: ['--prune', '--no-prune', '--tags', '--no-tags', '--dry-run', '--progress', '--unshallow'],
    options: { ...uploading, '--depth': count, '--deepen': count },
    layout: ['--', 'names'],
  }),
  push: rule({
    ...transfer,
    hooks: ['pre-push', 'reference-transaction'],
    idle: hooked.idle,
    always: ['--porcelain', '--no-recurse-submodules'],
    confining: [receivePack, '--no-signed'],
    flags: ['--set-upstream', '--dry-run', '--follow-tags', '--no-follow-tags', '--atomic', '--progress'],
    options: {
      ...receiving,
      '--force-with-lease': /^refs\/[^\0\s:]+:(?:[0-9a-f]{40,64})?$/,
      '--push-option': line,
    },
    layout: ['--', 'names'],
  }),
  'ls-remote': rule({
    ...remote,
    confining: [uploadPack],
    flags: ['--refs'],
    options: uploading,
    layout: ['--', 'names'],
  }),
};
