import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { states } from '../../src/repository/states/known.ts';
import { type HostileSite, put } from './site.ts';

/** The files that a mutation touches; `readersOf` names the calls that read them. */
export type Kind = 'attributes' | 'config' | 'entry' | 'hook' | 'pointer' | 'state' | 'submodule';

/** One change to a repository that its author could have made. */
export interface Mutation {
  readonly kind: Kind;
  /** for a report, without places of this run */
  readonly what: string;
  apply(site: HostileSite): void;
}

/** A text that depends on where a site is. */
type Text = (site: HostileSite) => string;

const inSite = (text: string): Text => {
  return ({ payload, outside, folder }) =>
    text.replaceAll('PAYLOAD', payload).replaceAll('OUTSIDE', outside).replaceAll('FOLDER', folder);
};

/** Values that start a program, lead out, or stand at an edge of some grammar. */
const values = fc.constantFrom(
  ...['PAYLOAD', '!PAYLOAD', '!PAYLOAD; true', 'PAYLOAD %f', 'PAYLOAD %O %A %B', '|PAYLOAD', '$(PAYLOAD)'],
  ...['ext::PAYLOAD', 'ext::PAYLOAD %S', 'ssh -oProxyCommand=PAYLOAD', '-cPAYLOAD', '--exec=PAYLOAD'],
  ...[
    '--upload-pack=PAYLOAD',
    '%s%nexec PAYLOAD',
    '%s%x0aexec PAYLOAD',
    '`PAYLOAD`',
    '"PAYLOAD"',
    '../payload',
  ],
  ...['../../payload', './payload', 'OUTSIDE', 'OUTSIDE/secret', '../../outside/secret', '../../../outside'],
  ...[
    'file://OUTSIDE/victim',
    'OUTSIDE/victim',
    'OUTSIDE/victim/.git',
    'OUTSIDE/new',
    'true',
    'false',
    '',
    '1',
  ],
  ...['evil', 'main', 'refs/heads/main', '-x', '--output=OUTSIDE/new', '../../outside/victim/.git/objects'],
);

/** Keys for which git starts programs or follows paths, with a name between where there is one. */
const executing = [
  ...['alias.status', 'alias.st', 'alias.merge-evil', 'core.fsmonitor', 'core.hooksPath', 'core.editor'],
  ...['core.pager', 'core.sshCommand', 'core.gitProxy', 'core.askPass', 'core.alternateRefsCommand'],
  ...['core.attributesFile', 'core.excludesFile', 'core.worktree', 'core.bare', 'core.alternateRefsPrefixes'],
  ...['diff.external', 'diff.evil.command', 'diff.evil.textconv', 'diff.orderFile', 'merge.evil.driver'],
  ...['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'filter.evil.required'],
  ...['gpg.program', 'gpg.ssh.program', 'gpg.format', 'commit.gpgSign', 'user.signingKey', 'tag.gpgSign'],
  ...[
    'gpg.ssh.defaultKeyCommand',
    'gpg.ssh.allowedSignersFile',
    'log.showSignature',
    'pager.log',
    'pager.status',
  ],
  ...['credential.helper', 'http.proxy', 'http.cookieFile', 'http.sslCert', 'remote.origin.url'],
  ...['remote.origin.uploadpack', 'remote.origin.receivepack', 'remote.origin.vcs', 'remote.origin.proxy'],
  ...[
    'remote.origin.pushurl',
    'url.OUTSIDE/victim.insteadOf',
    'url.ext::PAYLOAD.insteadOf',
    'branch.main.remote',
  ],
  ...[
    'submodule.sub.update',
    'submodule.sub.url',
    'submodule.recurse',
    'submodule.sub.ignore',
    'sequence.editor',
  ],
  ...[
    'rebase.instructionFormat',
    'core.commentChar',
    'merge.tool',
    'mergetool.evil.cmd',
    'difftool.evil.cmd',
  ],
  ...[
    'uploadpack.packObjectsHook',
    'trailer.evil.command',
    'trailer.evil.cmd',
    'commit.template',
    'blame.ignoreRevsFile',
  ],
  ...[
    'mailmap.file',
    'init.templateDir',
    'include.path',
    'includeIf.onbranch:**.path',
    'includeIf.gitdir:**.path',
  ],
  ...['extensions.worktreeConfig', 'extensions.partialClone', 'extensions.refStorage', 'core.splitIndex'],
  ...['remote.origin.promisor', 'protocol.ext.allow', 'protocol.allow', 'receive.procReceiveRefs', 'gc.auto'],
  ...[
    'rebase.backend',
    'pull.rebase',
    'pull.twohead',
    'merge.default',
    'notes.rewriteRef',
    'core.untrackedCache',
  ],
  ...['maintenance.repo', 'gc.recentObjectsHook', 'man.evil.cmd', 'browser.evil.cmd', 'sendemail.smtpServer'],
];

let named: string[] | undefined;

/** Every key that git knows, with names in the places of others. */
function keys(): string[] {
  named ??= execFileSync('git', ['help', '--config-for-completion'], { encoding: 'utf8' })
    .split('\n')
    .filter((key) => key.includes('.'))
    .map((key) => key.replaceAll(/<[^>]*>|\*/g, 'evil'))
    .map((key) => (key.endsWith('.') ? `${key}evil` : key));
  return named;
}

const key = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...executing) },
  { weight: 1, arbitrary: fc.nat().map((at) => keys()[at % keys().length]!) },
);

/** How a setting is written: each of the grammar's liberties. */
const styles: Readonly<Record<string, (section: string, name: string, value: string) => string>> = {
  plain: (section, name, value) => `[${section}]\n\t${name} = ${value}\n`,
  quoted: (section, name, value) => `[${section}]\n${name}="${value.replaceAll(/["\\]/g, '\\$&')}"\n`,
  'on one line': (section, name, value) => `[${section}] ${name}=${value}\n`,
  'in capitals': (section, name, value) =>
    `[${section.replace(/^[^ ]+/, (word) => word.toUpperCase())}]\n${name.toUpperCase()}=${value}\n`,
  'over two lines': (section, name, value) =>
    `[${section}]\n${name} = ${value.slice(0, 2)}\\\n${value.slice(2)}\n`,
  'with CRLF': (section, name, value) => `[${section}]\r\n${name} = ${value}\r\n`,
  'behind comments': (section, name, value) => `# [x]\n[${section}] ; y\n; z\n${name} = ${value} # w\n`,
  'without an end': (section, name, value) => `[${section}]\n${name} = ${value}`,
  'after a mark': (section, name, value) =>
    `\ufeff[${section}]\n${name} = ${value}\n`.replace('\ufeff', '\xef\xbb\xbf'),
  'with a dot': (section, name, value) => `[${section.replace(/ "(.*)"$/, '.$1')}]\n${name} = ${value}\n`,
};

/** The text of one setting. */
function setting(dotted: string, value: string, style: string): string {
  const first = dotted.indexOf('.');
  const last = dotted.lastIndexOf('.');
  const inner = last > first ? ` "${dotted.slice(first + 1, last).replaceAll(/["\\]/g, '\\$&')}"` : '';
  return styles[style]!(`${dotted.slice(0, first)}${inner}`, dotted.slice(last + 1), value);
}

/** The files that settings are read from, and what more has to be there for git to do so. */
const configFiles: Readonly<Record<string, (site: HostileSite, text: string) => void>> = {
  config: ({ commonDir }, text) => append(join(commonDir, 'config'), text),
  'config.worktree': ({ gitDir, commonDir }, text) => {
    append(join(commonDir, 'config'), '\n[extensions]\n\tworktreeConfig = true\n');
    append(join(gitDir, 'config.worktree'), text);
  },
  'an included file': (site, text) => include(site, 'include', text),
  'a file for a branch': (site, text) => include(site, 'includeIf "onbranch:side"', text),
  'a file for any branch': (site, text) => include(site, 'includeIf "onbranch:**"', text),
  'a file for a place': (site, text) => include(site, 'includeIf "gitdir:**"', text),
  'a file for work trees': (site, text) => include(site, 'includeIf "gitdir:**/worktrees/**"', text),
  'a file for a remote': (site, text) => include(site, 'includeIf "hasconfig:remote.*.url:**"', text),
  'an include in an include': (site, text) => {
    append(join(site.root, 'inner.txt'), text);
    include(site, 'include', '[include]\n\tpath = inner.txt\n');
  },
  '.gitmodules': ({ top }, text) => append(join(top, '.gitmodules'), text),
  'config of a submodule': ({ commonDir, root }, text) => {
    const own = join(root, 'super/.git/modules/sub');
    append(join(existsSync(own) ? own : commonDir, 'config'), text);
  },
  'config.worktree of another work tree': ({ commonDir }, text) => {
    append(join(commonDir, 'config'), '\n[extensions]\n\tworktreeConfig = true\n');
    const others = join(commonDir, 'worktrees');
    for (const name of existsSync(others) ? readdirSync(others) : [])
      append(join(others, name, 'config.worktree'), text);
  },
};

function append(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const before = textOf(path);
  // another mutation may have left what writing would follow or wait for
  if (before === undefined) rmSync(path, { recursive: true, force: true });
  // a mark is one at the beginning alone
  const isMark = text.startsWith('\xef\xbb\xbf');
  writeFileSync(path, isMark ? text + (before ?? '') : `${before ?? ''}\n${text}`, 'latin1');
}

/** Returns the text of a file; undefined where there is something else, or nothing. */
function textOf(path: string): string | undefined {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? readFileSync(path, 'latin1') : undefined;
}

function include({ root, commonDir }: HostileSite, section: string, text: string): void {
  append(join(commonDir, 'config'), `[${section}]\n\tpath = ${root}/included.txt\n`);
  append(join(root, 'included.txt'), text);
}

const config: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: fc.constant('config') }, fc.constantFrom(...Object.keys(configFiles))),
    key,
    values,
    fc.constantFrom(...Object.keys(styles)),
  )
  .map(([file, dotted, value, style]) => ({
    kind: 'config',
    what: `${dotted} = ${value}, ${style}, in ${file}`,
    apply: (site) => configFiles[file]!(site, setting(inSite(dotted)(site), inSite(value)(site), style)),
  }));

/** Drivers of the repository, for all its files, and what names them. */
const attributes: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.constantFrom(
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'diff.evil.command',
      'diff.evil.textconv',
      'merge.evil.driver',
      'filter.lfs.clean',
      'filter.lfs.process',
    ),
    fc.constantFrom('.gitattributes', 'info/attributes', 'folder/.gitattributes', 'core.attributesFile'),
    fc.constantFrom(...Object.keys(configFiles)),
  )
  .map(([driver, place, file]) => ({
    kind: 'attributes',
    what: `${driver} in ${file}, named by ${place}`,
    apply: (site) => {
      configFiles[file]!(site, setting(driver, site.payload, 'plain'));
      const line = '* filter=evil diff=evil merge=evil\n';
      if (place === 'info/attributes') append(join(site.commonDir, place), line);
      else if (place !== 'core.attributesFile') append(join(site.top, place), line);
      else {
        append(join(site.root, 'attributes.txt'), line);
        configFiles[file]!(site, setting(place, join(site.root, 'attributes.txt'), 'plain'));
      }
    },
  }));

const hookNames = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'commit-msg'],
  ...['prepare-commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push'],
  ...['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction', 'push-to-checkout'],
  ...['pre-auto-gc', 'post-rewrite', 'fsmonitor-watchman', 'post-index-change', 'proc-receive'],
];

const hook: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...hookNames), { minLength: 8 }),
    fc.constantFrom('hooks', 'other', 'link'),
  )
  .map(([names, place]) => ({
    kind: 'hook',
    what: `${names.join(', ')} in ${place}`,
    apply: ({ commonDir, root, payload }) => {
      const folder = place === 'hooks' ? join(commonDir, 'hooks') : join(root, 'other-hooks');
      for (const name of names) put(join(folder, name), `#!/bin/sh\nexec '${payload}' ${name}\n`, 0o755);
      if (place === 'other') append(join(commonDir, 'config'), setting('core.hooksPath', folder, 'plain'));
      if (place !== 'link') return;
      rmSync(join(commonDir, 'hooks'), { recursive: true, force: true });
      symlinkSync(folder, join(commonDir, 'hooks'));
    },
  }));

/** Lines for state files: steps, options and names of which git makes more than it should. */
const stateLines = fc.constantFrom(
  ...[
    'exec PAYLOAD',
    'x PAYLOAD',
    'e PAYLOAD',
    'exec PAYLOAD # pick',
    'merge -C HEAD evil',
    'label --x',
    'reset ../../x',
  ],
  ...[
    'update-ref refs/heads/../../x',
    'break',
    'evil',
    'ours',
    '-s evil',
    '--strategy=evil',
    '-Xours',
    "'--evil'",
  ],
  ...[
    '--build-fake-ancestor=OUTSIDE/new',
    "'--build-fake-ancestor=OUTSIDE/new'",
    '--directory=OUTSIDE',
    '-f',
  ],
  ...[
    '--detach',
    '-q',
    '--orphan',
    'refs/heads/main',
    'OUTSIDE/secret',
    '../../outside/secret',
    '-S',
    '-SPAYLOAD',
  ],
  ...[
    "GIT_AUTHOR_NAME='$(PAYLOAD)'",
    "GIT_AUTHOR_NAME='x'; PAYLOAD; y='",
    '[options]\n\tstrategy = evil',
    '',
  ],
  ...[
    '[options]\n\tstrategy-option = --x\n\tgpg-sign = PAYLOAD',
    '[include]\n\tpath = OUTSIDE/secret',
    '\0',
    '-'.repeat(99),
  ],
  ...[
    '0000000000000000000000000000000000000000',
    'git bisect run PAYLOAD',
    'git bisect start; PAYLOAD',
    'bad\ngood',
  ],
);

const stateFiles = Object.entries(states).flatMap(([folder, known]) =>
  Object.keys(known).map((name) => join(folder, name)),
);

/** The worst content of one file, by its name. */
const fitting: Readonly<Record<string, string>> = {
  'git-rebase-todo': 'exec PAYLOAD',
  strategy: 'evil',
  opts: '[options]\n\tstrategy = evil',
  'apply-opt': "'--build-fake-ancestor=OUTSIDE/new'",
  BISECT_START: '--detach',
};

const state: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.oneof(
      // one of those that are there: where something is in progress, git reads most of them
      { weight: 2, arbitrary: fc.nat() },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...stateFiles, 'rebase-merge/unheard-of', 'sequencer/unheard-of'),
      },
    ),
    stateLines,
    fc.constantFrom('first', 'last', 'alone'),
    fc.boolean(),
  )
  .map(([file, any, place, fits]) => ({
    kind: 'state',
    what: `${fits ? 'what is worst, or ' : ''}${JSON.stringify(any)} ${place} in ${typeof file === 'string' ? file : `state file ${file}`}`,
    apply: (site) => {
      const all = stateFiles.filter((name) => existsSync(join(site.gitDir, name)));
      const worst = all.filter((name) => basename(name) in fitting);
      const there = fits && worst.length > 0 ? worst : all;
      const name = typeof file === 'string' ? file : (there[file % there.length] ?? 'MERGE_HEAD');
      const path = join(site.gitDir, name);
      if (existsSync(path) && lstatSync(path).isDirectory()) return;
      const before = textOf(path) ?? '';
      const line = (fits ? fitting[basename(name)] : undefined) ?? any;
      const text = `${inSite(line)(site)}\n`;
      put(path, place === 'first' ? text + before : place === 'last' ? before + text : text);
      // the strategy that some lines name
      append(join(site.commonDir, 'config'), setting('alias.merge-evil', `!${site.payload}`, 'plain'));
    },
  }));

/** Files that name places, and what they could say; names are from the git dir, or from its common directory. */
const pointers = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'HEAD',
      'refs/heads/main',
      'refs/heads/evil',
      'ORIG_HEAD',
      'refs/stash',
      'refs/remotes/origin/HEAD',
    ),
    fc.constantFrom(
      'ref: ../../outside/secret\n',
      'ref: refs/heads/../../../../outside/secret\n',
      'ref: OUTSIDE/secret\n',
      'ref: refs/heads/.none\n',
      'ref:\n',
      'main\n',
      '\0\0',
      'ref: refs/heads/main/x\n',
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      'commondir',
      'gitdir',
      'worktrees/linked/commondir',
      'worktrees/linked/gitdir',
      'worktrees/evil/gitdir',
    ),
    fc.constantFrom(
      'OUTSIDE/victim/.git\n',
      '../../outside/victim/.git\n',
      '../../../../outside/victim/.git\r\n',
      '.\n',
      '\n',
      'OUTSIDE/victim/.git',
      '../../../outside\0x\n',
    ),
  ),
  fc.tuple(
    fc.constantFrom('objects/info/alternates', 'objects/info/http-alternates'),
    fc.constantFrom(
      'OUTSIDE/victim/.git/objects\n',
      '../../../../outside/victim/.git/objects\n',
      '# x\nOUTSIDE/victim/.git/objects\r\n',
      '"OUTSIDE/victim/.git/objects"\n',
      '"OUTSIDE/victim\\057.git/objects"',
      '../../bare/objects\n',
      '/\n',
      '\0\n',
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      'packed-refs',
      'shallow',
      'info/grafts',
      'info/exclude',
      'info/sparse-checkout',
      'FETCH_HEAD',
      'logs/HEAD',
      'refs/replace/main',
      'branches/evil',
      'remotes/evil',
    ),
    fc.constantFrom(
      '# pack-refs with: peeled\n',
      '0000000000000000000000000000000000000000 refs/heads/../../x\n',
      'URL: ext::PAYLOAD\n',
      'OUTSIDE/victim\n',
      '/../../outside\n',
      '!\n',
      '0'.repeat(40),
    ),
  ),
);

const pointer: fc.Arbitrary<Mutation> = pointers.map(([file, text]) => ({
  kind: 'pointer',
  what: `${JSON.stringify(text)} in ${file}`,
  apply: (site) => put(join(ofWorkTree.test(file) ? site.gitDir : site.commonDir, file), inSite(text)(site)),
}));

const ofWorkTree = /^(?:HEAD|ORIG_HEAD|FETCH_HEAD|commondir|gitdir|info\/sparse-checkout|logs\/HEAD)$/;

export const entries = [
  ...[
    'HEAD',
    'index',
    'config',
    'objects',
    'refs',
    'refs/heads',
    'refs/heads/main',
    'packed-refs',
    'logs',
    'logs/HEAD',
  ],
  ...[
    'info',
    'info/exclude',
    'info/attributes',
    'objects/info',
    'objects/pack',
    'hooks',
    'ORIG_HEAD',
    'MERGE_HEAD',
  ],
  ...[
    'COMMIT_EDITMSG',
    'FETCH_HEAD',
    'shallow',
    'rebase-merge',
    'rebase-merge/git-rebase-todo',
    'sequencer',
    'sequencer/todo',
  ],
  ...[
    'rebase-apply',
    'BISECT_LOG',
    'MERGE_MSG',
    'worktrees',
    'worktrees/linked',
    'modules',
    'modules/sub',
    'config.worktree',
  ],
  ...[
    'rr-cache',
    'index.lock',
    'HEAD.lock',
    'sharedindex.x',
    'gc.pid',
    'info/sparse-checkout',
    'reftable',
    'refs/stash',
  ],
];

/** The entries that can be in the place of a file or a folder that git expects. */
export const odd: Readonly<Record<string, (path: string, site: HostileSite) => void>> = {
  'a link to a file outside': (path, { outside }) => symlinkSync(join(outside, 'secret'), path),
  'a link to a folder outside': (path, { outside }) => symlinkSync(outside, path),
  'a link to a git dir outside': (path, { outside }) => symlinkSync(join(outside, 'victim', '.git'), path),
  'a link to a new file outside': (path, { outside }) => symlinkSync(join(outside, 'new'), path),
  'a link to itself': (path) => symlinkSync(path, path),
  'an executable file': (path) => writeFileSync(path, '', { mode: 0o755 }),
  'a folder': (path) => mkdirSync(path),
  'a FIFO': (path) => execFileSync('mkfifo', [path]),
  'a link to a FIFO': (path, { root }) => {
    const fifo = join(root, 'fifo');
    if (!existsSync(fifo)) execFileSync('mkfifo', [fifo]);
    symlinkSync(fifo, path);
  },
  nothing: () => undefined,
  'two megabytes': (path) => writeFileSync(path, 'ab\n'.repeat(700_000)),
};

/** Something odd in the place of a file or a folder of the git dir, or else of the common directory. */
export function oddEntry(name: string, as: string): Mutation {
  return {
    kind: 'entry',
    what: `${as} as ${name}`,
    apply: (site) => {
      const own = join(site.gitDir, name);
      const path = existsSync(own) ? own : join(site.commonDir, name);
      rmSync(path, { recursive: true, force: true });
      mkdirSync(dirname(path), { recursive: true });
      odd[as]!(path, site);
    },
  };
}

const entry: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...entries), fc.constantFrom(...Object.keys(odd)))
      .map(([name, as]) => oddEntry(name, as)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...entries), fc.constantFrom(0, 0o755, 0o111))
      .map(([name, mode]) => ({
        kind: 'entry' as const,
        what: `the mode ${mode.toString(8)} of ${name}`,
        apply: ({ gitDir }: HostileSite) => {
          const stat = lstatSync(join(gitDir, name), { throwIfNoEntry: false });
          if (stat?.isSymbolicLink() === false) chmodSync(join(gitDir, name), mode);
        },
      })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => ({
      kind: 'entry' as const,
      what: `the byte ${byte} at ${at} of the index`,
      apply: ({ gitDir }: HostileSite) => {
        const path = join(gitDir, 'index');
        const text = textOf(path) ?? '';
        if (text === '') return;
        const bytes = Buffer.from(text, 'latin1');
        bytes[at % bytes.length] = byte;
        writeFileSync(path, bytes);
      },
    })),
  },
);

/** Odd submodules: what is in the place of their `.git`, and what declares them. */
const submodule: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.constantFrom(
      '.git as a link',
      '.git leads out',
      'an executable refs',
      'an executable objects',
      'a folder .git',
      'as it is',
    ),
    fc.constantFrom('!PAYLOAD', 'none', 'merge', '-x'),
    fc.constantFrom('../../outside/victim', 'ext::PAYLOAD', '-uPAYLOAD', '../bare'),
    fc.boolean(),
  )
  .map(([form, update, url, filtered]) => ({
    kind: 'submodule',
    what: `${form}, update ${update}, url ${url}${filtered ? ', with a filter' : ''}`,
    apply: (site) => {
      const path = join(site.top, 'sub');
      const declared = `[submodule "sub"]\n\tpath = sub\n\turl = ${url}\n\tupdate = ${update}\n`;
      append(join(site.top, '.gitmodules'), inSite(declared)(site));
      mkdirSync(path, { recursive: true });
      const modules = join(site.commonDir, 'modules', 'sub');
      const own = form === 'a folder .git' || !existsSync(modules) ? join(path, '.git') : modules;
      if (own === join(path, '.git') && existsSync(site.commonDir)) {
        rmSync(own, { recursive: true, force: true });
        for (const name of ['objects', 'refs/heads']) mkdirSync(join(own, name), { recursive: true });
        put(join(own, 'HEAD'), `${'1'.repeat(40)}\n`);
        put(join(own, 'config'), '[core]\n\trepositoryformatversion = 0\n');
      }
      if (filtered) {
        append(join(own, 'config'), setting('filter.evil.clean', site.payload, 'plain'));
        append(join(own, 'config'), setting('core.fsmonitor', site.payload, 'plain'));
        put(join(path, '.gitattributes'), '* filter=evil\n');
        appendFileSync(join(path, 'a'), 'more\n');
      }
      if (form === '.git as a link') {
        rmSync(join(path, '.git'), { recursive: true, force: true });
        symlinkSync(join(site.outside, 'victim', '.git'), join(path, '.git'));
      } else if (form === '.git leads out') put(join(path, '.git'), `gitdir: ${site.outside}/victim/.git\n`);
      else if (form.startsWith('an executable '))
        put(join(own, form.slice('an executable '.length)), '', 0o755);
    },
  }));

/** All kinds of mutations, those of settings the most often. */
export const mutations: Readonly<Record<Kind, fc.Arbitrary<Mutation>>> = {
  config,
  attributes,
  hook,
  state,
  pointer,
  entry,
  submodule,
};
