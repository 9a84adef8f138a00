import { count, hooked, line, remote, rule, word } from './verb-rule.ts';

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

const depths = { '--depth': count, '--shallow-since': line, '--shallow-exclude': word } as const;
const filters = { '--filter': /^(?:blob:none|blob:limit=\d+[kmg]?|tree:\d+)$/ } as const;
const transfer = { ...remote, writes: true, hooks: true } as const;

/** Verbs that communicate with another repository. */
export const transferring = {
  clone: rule({
    pathspecs: false,
    ...transfer,
    // not by copying files: the other repository's could be links to anywhere
    always: [uploadPack, '--no-local', '--no-recurse-submodules'],
    flags: [
      ...['--bare', '--mirror', '--no-checkout', '--single-branch', '--no-single-branch', '--no-tags'],
      ...['--progress', '--sparse', '--reject-shallow', '--quiet'],
    ],
    options: { ...uploading, ...depths, ...filters, '--branch': word, '--origin': word, '--jobs': count },
    layout: ['--', 'names', 'paths'],
  }),
  // not `--all` or `--multiple`: the fetches that git then starts do not get the upload pack
  fetch: rule({
    ...transfer,
    heads: true,
    always: ['--no-recurse-submodules'],
    confining: [uploadPack, '--no-auto-maintenance'],
    flags: [
      ...[
        '--prune',
        '--no-prune',
        '--prune-tags',
        '--tags',
        '--no-tags',
        '--force',
        '--dry-run',
        '--progress',
      ],
      ...['--unshallow', '--update-shallow', '--atomic', '--porcelain', '--no-write-fetch-head', '--verbose'],
      '--refetch',
    ],
    options: { ...uploading, ...depths, ...filters, '--deepen': count, '--refmap': line },
    layout: ['--', 'names'],
  }),
  push: rule({
    ...transfer,
    idle: hooked.idle,
    always: ['--porcelain', '--no-recurse-submodules'],
    confining: [receivePack, '--no-signed'],
    flags: [
      ...[
        '--force-if-includes',
        '--set-upstream',
        '--dry-run',
        '--follow-tags',
        '--no-follow-tags',
        '--atomic',
      ],
      ...['--progress', '--no-verify', '--verbose'],
    ],
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
    flags: ['--heads', '--tags', '--refs', '--symref', '--quiet', '--exit-code'],
    options: uploading,
    layout: ['--', 'names'],
  }),
  'submodule update': rule({
    scripted: true,
    ...transfer,
    // the configuration of a submodule could name a command as its way to update
    always: ['--checkout'],
    flags: ['--init', '--recursive', '--force', '--no-fetch', '--progress', '--recommend-shallow'],
    options: { '--depth': count, '--jobs': count },
    layout: ['--', 'paths'],
  }),
};
