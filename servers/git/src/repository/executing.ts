import type { Verb } from '../run/verbs.ts';

/** What a suppressed setting would have had git do. */
export type What =
  | 'credential'
  | 'diff'
  | 'file'
  | 'filter'
  | 'hook'
  | 'merge'
  | 'monitor'
  | 'network'
  | 'program'
  | 'signing'
  | 'submodule'
  | 'trailer'
  | 'transport';

/** One kind of setting that would execute, redirect, or read and write elsewhere. */
export interface Executing {
  readonly what: What;
  /** takes its place, unless the operator has a value; absent where the executor's flags and environment prevent it */
  readonly instead?: string;
  /** one value for each time it is set; an empty one begins anew */
  readonly list?: true;
  /** the value is a command line */
  readonly program?: true;
  /** what trust lets through again */
  readonly trusted?: true;
  /** which values are meant, default every one */
  readonly when?: (value: string, name: string) => boolean;
  /** the value is the path of a file, which may lie inside the repository */
  readonly path?: true;
  /** the verb that cannot be asked while it is there, for want of a way to keep git from it */
  readonly blocks?: Verb;
}

const isTrue = (value: string) => !/^(?:false|no|off|0|)$/i.test(value);
const isShell = (value: string) => value.startsWith('!');
/** `ext::command`, and any other program that git would start to speak for it. */
const isHelper = (value: string) => /^[A-Za-z0-9][^/:]*::/.test(value);

const program = { what: 'program', program: true } as const;
const filter = { what: 'filter', instead: '', program: true, trusted: true } as const;
const signing = { what: 'signing', program: true, trusted: true } as const;
const transport = { what: 'transport', when: isHelper } as const;
const network = { what: 'network', trusted: true } as const;
const file = { what: 'file', path: true } as const;

/** What git would merge by without a driver; its status is no more than one, which git takes for a conflict. */
const mergeFile = 'git merge-file --quiet --marker-size=%L -L ours -L base -L theirs %A %O %B || false';

/** By `section.key`, or `section.*.key` for those with a name between. */
export const executing: Readonly<Record<string, Executing>> = {
  'core.fsmonitor': { what: 'monitor', program: true, when: isTrue },
  'core.hookspath': { what: 'hook', program: true, trusted: true },

  'filter.*.clean': filter,
  'filter.*.smudge': filter,
  'filter.*.process': filter,
  'filter.*.required': { ...filter, instead: 'false', when: isTrue },
  // git-lfs reads these by itself
  'lfs.extension.*.clean': filter,
  'lfs.extension.*.smudge': filter,
  'lfs.customtransfer.*.path': filter,
  'lfs.standalonetransferagent': filter,
  'lfs.*.standalonetransferagent': filter,

  // no value of these means none, so that in a verb without `--no-ext-diff` there is one that does nothing
  'diff.external': { what: 'diff', instead: 'true', program: true },
  'diff.*.command': { what: 'diff', instead: 'true', program: true },
  'diff.*.textconv': { what: 'diff', instead: 'cat', program: true },
  'diff.*.cachetextconv': { what: 'diff', instead: 'false', when: isTrue },

  'merge.*.driver': { what: 'merge', instead: mergeFile, program: true, trusted: true },
  'branch.*.mergeoptions': { what: 'merge', instead: '', trusted: true },

  'gpg.program': { ...signing, instead: 'gpg' },
  'gpg.openpgp.program': { ...signing, instead: 'gpg' },
  'gpg.x509.program': { ...signing, instead: 'gpgsm' },
  'gpg.ssh.program': { ...signing, instead: 'ssh-keygen' },
  'gpg.ssh.defaultkeycommand': { ...signing, instead: 'false' },
  'gpg.ssh.allowedsignersfile': { what: 'signing', instead: '', trusted: true },
  'commit.gpgsign': { what: 'signing', instead: 'false', trusted: true, when: isTrue },
  'tag.gpgsign': { what: 'signing', instead: 'false', trusted: true, when: isTrue },
  'tag.forcesignannotated': { what: 'signing', instead: 'false', trusted: true, when: isTrue },
  'push.gpgsign': { what: 'signing', instead: 'false', trusted: true, when: isTrue },
  'log.showsignature': { what: 'signing', when: isTrue },

  'trailer.*.command': { what: 'trailer', instead: '', program: true, trusted: true },
  'trailer.*.cmd': { what: 'trailer', instead: '', program: true, trusted: true },

  'credential.helper': { what: 'credential', list: true, program: true, trusted: true },
  'credential.*.helper': { what: 'credential', list: true, program: true, trusted: true },
  'core.askpass': { what: 'credential', program: true },

  'core.sshcommand': { what: 'transport', program: true },
  'ssh.variant': { what: 'transport' },
  'core.gitproxy': { what: 'transport', program: true },
  'core.alternaterefscommand': { what: 'transport', program: true },
  'uploadpack.packobjectshook': { what: 'transport', program: true },
  'remote.*.uploadpack': { what: 'transport', program: true },
  'remote.*.receivepack': { what: 'transport', program: true },
  'remote.*.vcs': { what: 'transport' },
  'remote.*.url': transport,
  'remote.*.pushurl': transport,
  'remote.pushdefault': transport,
  'branch.*.remote': transport,
  'branch.*.pushremote': transport,
  'submodule.*.url': transport,
  'url.*.insteadof': { what: 'transport', when: (_, name) => isHelper(name) },
  'url.*.pushinsteadof': { what: 'transport', when: (_, name) => isHelper(name) },
  'protocol.allow': { what: 'transport', when: (value) => value !== 'never' },
  'protocol.*.allow': { what: 'transport', when: (value) => value !== 'never' },

  ...bothForms('proxy', { ...network, instead: '' }),
  ...bothForms('proxysslcert', { ...network, instead: '' }),
  ...bothForms('proxysslkey', { ...network, instead: '' }),
  ...bothForms('extraheader', { ...network, instead: '', list: true }),
  ...bothForms('curloptresolve', { ...network, instead: '', list: true }),
  ...bothForms('followredirects', { ...network, instead: 'initial' }),
  ...bothForms('sslverify', { ...network, instead: 'true', when: (value) => !isTrue(value) }),
  ...bothForms('sslcainfo', { ...network, instead: '' }),
  ...bothForms('sslcapath', { ...network, instead: '' }),
  ...bothForms('sslcert', { ...network, instead: '' }),
  ...bothForms('sslkey', { ...network, instead: '' }),
  ...bothForms('delegation', { ...network, instead: 'none' }),
  ...bothForms('cookiefile', { what: 'file', instead: '' }),
  ...bothForms('savecookies', { what: 'file', instead: 'false', when: isTrue }),
  'remote.*.proxy': { ...network, instead: '' },

  'submodule.*.update': { what: 'submodule', instead: 'checkout', program: true, when: isShell },

  'core.attributesfile': { ...file, instead: '/dev/null' },
  'core.excludesfile': { ...file, instead: '/dev/null' },
  'commit.template': { ...file, instead: '/dev/null' },
  'diff.orderfile': { ...file, instead: '/dev/null' },
  'mailmap.file': { ...file, instead: '/dev/null' },
  // an empty one takes back what was read, but git quotes what it could not read of a file that is none of these
  'blame.ignorerevsfile': { ...file, blocks: 'blame' },

  // of verbs that are never asked for, or that have no terminal here
  'core.editor': program,
  'sequence.editor': program,
  'core.pager': program,
  'pager.*': {
    ...program,
    when: (value) => value !== '' && !/^(?:true|false|yes|no|on|off|\d+)$/i.test(value),
  },
  'interactive.difffilter': program,
  'alias.*': { ...program, when: isShell },
  'difftool.*.cmd': program,
  'mergetool.*.cmd': program,
  'gc.recentobjectshook': program,
};

/** A setting for every address, and the same for one. */
function bothForms(key: string, setting: Executing): Record<string, Executing> {
  return { [`http.${key}`]: setting, [`http.*.${key}`]: setting };
}

/** What a key would execute, and the name in its middle. */
export function executingOf(key: string): { readonly setting: Executing; readonly name: string } | undefined {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const [section, leaf] = [key.slice(0, first), key.slice(last + 1)];
  const name = first === last ? '' : key.slice(first + 1, last);
  const exact = Object.hasOwn(executing, key) ? executing[key] : undefined;
  if (exact !== undefined) return { setting: exact, name };
  if (section === 'alias' || section === 'pager') return { setting: executing[`${section}.*`]!, name };
  if (first === last) return undefined;
  // `lfs.extension.<name>.clean` has a word before its name
  const inner = name.slice(0, name.indexOf('.') + 1);
  const family = [`${section}.${inner}*.${leaf}`, `${section}.*.${leaf}`].find((each) =>
    Object.hasOwn(executing, each),
  );
  return family === undefined ? undefined : { setting: executing[family]!, name };
}
