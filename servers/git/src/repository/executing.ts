/** The kind of action to which a setting leads. */
export type What =
  | 'alias'
  | 'credential'
  | 'diff'
  | 'file'
  | 'filter'
  | 'hook'
  | 'include'
  | 'merge'
  | 'monitor'
  | 'network'
  | 'program'
  | 'setting'
  | 'signing'
  | 'state'
  | 'submodule'
  | 'trailer'
  | 'transport';

/** Settings whose value is a command line, by `section.key`, or `section.*.key` with a name in the middle. */
const programs: Readonly<Record<string, What>> = {
  'alias.*': 'alias',
  'core.alternaterefscommand': 'transport',
  'core.askpass': 'credential',
  'core.editor': 'program',
  'core.fsmonitor': 'monitor',
  'core.gitproxy': 'transport',
  'core.hookspath': 'hook',
  'core.pager': 'program',
  'core.sshcommand': 'transport',
  'credential.helper': 'credential',
  'credential.*.helper': 'credential',
  'diff.external': 'diff',
  'diff.*.command': 'diff',
  'diff.*.textconv': 'diff',
  'difftool.*.cmd': 'program',
  'difftool.*.path': 'program',
  'filter.*.clean': 'filter',
  'filter.*.process': 'filter',
  'filter.*.smudge': 'filter',
  'gc.recentobjectshook': 'program',
  'gpg.program': 'signing',
  'gpg.*.program': 'signing',
  'gpg.ssh.defaultkeycommand': 'signing',
  'interactive.difffilter': 'program',
  // git-lfs reads these by itself
  'lfs.customtransfer.*.path': 'filter',
  'lfs.extension.*.clean': 'filter',
  'lfs.extension.*.smudge': 'filter',
  'lfs.standalonetransferagent': 'filter',
  'lfs.*.standalonetransferagent': 'filter',
  'merge.*.driver': 'merge',
  'mergetool.*.cmd': 'program',
  'mergetool.*.path': 'program',
  'pager.*': 'program',
  'remote.*.receivepack': 'transport',
  'remote.*.uploadpack': 'transport',
  // a line break in it begins a line of the todo list, which may be an exec
  'rebase.instructionformat': 'program',
  'sequence.editor': 'program',
  'submodule.*.update': 'submodule',
  'trailer.*.cmd': 'trailer',
  'trailer.*.command': 'trailer',
  'uploadpack.packobjectshook': 'transport',
};

/** Settings that redirect, or name files and strategies; a key in neither table is a `setting`. */
const others: Readonly<Record<string, What>> = {
  'blame.ignorerevsfile': 'file',
  'branch.*.mergeoptions': 'merge',
  'branch.*.pushremote': 'transport',
  'branch.*.remote': 'transport',
  'commit.gpgsign': 'signing',
  'commit.template': 'file',
  'core.attributesfile': 'file',
  'core.excludesfile': 'file',
  'diff.orderfile': 'file',
  'diff.*.cachetextconv': 'diff',
  'fetch.bundleuri': 'network',
  'filter.*.required': 'filter',
  'gpg.ssh.allowedsignersfile': 'signing',
  'gpg.ssh.revocationfile': 'signing',
  'include.path': 'include',
  'includeif.*.path': 'include',
  'log.showsignature': 'signing',
  'mailmap.file': 'file',
  'merge.verifysignatures': 'signing',
  'protocol.allow': 'transport',
  'protocol.*.allow': 'transport',
  'pull.octopus': 'merge',
  'pull.twohead': 'merge',
  'push.gpgsign': 'signing',
  'remote.pushdefault': 'transport',
  'remote.*.proxy': 'network',
  'remote.*.pushurl': 'transport',
  'remote.*.url': 'transport',
  'remote.*.vcs': 'transport',
  'ssh.variant': 'transport',
  'submodule.*.url': 'transport',
  'tag.forcesignannotated': 'signing',
  'tag.gpgsign': 'signing',
  'url.*.insteadof': 'transport',
  'url.*.pushinsteadof': 'transport',
};

/** Returns the kind of a setting; its key in lower case except for the name in its middle. */
export function whatOf(key: string): What {
  if (key.startsWith('http.')) return /cookie/.test(key.slice(key.lastIndexOf('.'))) ? 'file' : 'network';
  return rowOf(programs, key) ?? rowOf(others, key) ?? 'setting';
}

/** Returns the kind of a file of a git dir, by its path in it; undefined for one that git does not read. */
export function whatOfFile(path: string): What | undefined {
  if (/^hooks(?:\/|$)/.test(path)) return 'hook';
  return path.startsWith('info/') ? 'file' : undefined;
}

/** Returns whether the value of a setting is a command line. */
export function isProgram(key: string): boolean {
  return rowOf(programs, key) !== undefined;
}

function rowOf(table: Readonly<Record<string, What>>, key: string): What | undefined {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const [section, leaf] = [key.slice(0, first), key.slice(last + 1)];
  // `lfs.extension.<name>.clean` has a word before its name
  const inner = key.slice(first + 1, key.indexOf('.', first + 1) + 1);
  const rows = [key, `${section}.${inner}*.${leaf}`];
  if (first === last || section === 'alias' || section === 'pager') rows.push(`${section}.*`);
  else rows.push(`${section}.*.${leaf}`);
  const row = rows.find((each) => Object.hasOwn(table, each));
  return row === undefined ? undefined : table[row];
}

/** Returns whether a command line names a program by a path below the top of the work tree. */
export function isRelative(command: string): boolean {
  return /^[!"'\s]{0,100}(?![/~$\\]|[A-Za-z]:)[^\s"']{0,4000}\//.test(command);
}
