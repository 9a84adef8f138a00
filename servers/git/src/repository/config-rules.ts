/** A grammar that the whole value of a setting must match. */
type Grammar = RegExp;

const flag = /^(?:true|false|yes|no|on|off|[01]|)$/i;
const off = /^(?:false|no|off|0|)$/i;
const on = /^(?:true|yes|on|1)$/i;
const number = /^[-+]?\d{1,12}[kmg]?$/i;
const word = /^(?!-)[\w.+-]{1,64}$/;
const words = /^[\w.,+:=#% -]{0,200}$/;
/** Text that git stores or prints, and does not interpret. */
const text = /^[^\0]{0,4000}$/;
/** A ref, a refspec or a pattern of either. */
const ref = /^[+^!]?(?!-)[^\0-\x20\x7f]{0,400}$/;
/** An address for which git starts no helper, and which no program takes for an option. */
const address = /^(?!-)(?![A-Za-z0-9][^/:]{0,200}::)[^\0\n]{1,4000}$/;
const pathspec = /^[^\0\n]{1,400}$/;
const flagOrNumber = /^(?:true|false|yes|no|on|off|[01]||[-+]?\d{1,12}[kmg]?)$/i;
const flagOrWord = /^(?:true|false|yes|no|on|off|[01]||(?!-)[\w.+-]{1,64})$/i;

/**
 * The settings of a repository that git may use without trust, by `section.key`, or `section.*.key` with a name in the
 * middle, each with the grammar of its harmless values. A key without a row, or a value outside its grammar, is not
 * given to git: see git-config(1).
 */
export const harmless: Readonly<Record<string, Grammar>> = {
  ...each('core', flag, [
    ...['bare', 'commitgraph', 'filemode', 'fscache', 'ignorecase', 'ignorestat', 'longpaths'],
    ...['multipackindex', 'precomposeunicode', 'preloadindex', 'quotepath', 'sparsecheckout'],
    ...['sparsecheckoutcone', 'splitindex', 'symlinks', 'trustctime', 'usereplacerefs', 'warnambiguousrefs'],
  ]),
  ...each('core', number, [
    ...['abbrev', 'bigfilethreshold', 'compression', 'deltabasecachelimit', 'filesreflocktimeout'],
    ...['loosecompression', 'maxtreedepth', 'packedgitlimit', 'packedgitwindowsize', 'packedrefstimeout'],
    'repositoryformatversion',
  ]),
  ...each('core', flagOrWord, [
    ...['autocrlf', 'checkstat', 'createobject', 'eol', 'fsync', 'fsyncmethod', 'fsyncobjectfiles'],
    ...['hidedotfiles', 'logallrefupdates', 'safecrlf', 'sharedrepository', 'untrackedcache'],
  ]),
  // git itself refuses the names against which these protect; a repository may ask for more, never for less
  'core.protecthfs': on,
  'core.protectntfs': on,
  'core.whitespace': words,
  'core.notesref': ref,
  // a letter could turn lines of a todo list into comments
  'core.commentchar': /^(?:auto|[!#$%&*+;:=@^|~])$/,
  'core.commentstring': /^(?:auto|[!#$%&*+;:=@^|~]{1,4})$/,

  // the server merges each work tree's own settings; see `readLocalConfig`
  ...each('extensions', word, ['compatobjectformat', 'objectformat', 'partialclone', 'refstorage']),
  ...each('extensions', flag, ['noop', 'noop-v1', 'preciousobjects', 'relativeworktrees']),

  ...each('user', text, ['email', 'name']),
  'user.signingkey': /^(?![-/~\\])(?!.*\.\.)[^\0\n]{1,2000}$/,
  'user.useconfigonly': flag,
  ...each('author', text, ['email', 'name']),
  ...each('committer', text, ['email', 'name']),

  // signing starts a program, so a repository can only turn it off
  'commit.gpgsign': off,
  'tag.gpgsign': off,
  'tag.forcesignannotated': off,
  'push.gpgsign': off,
  'log.showsignature': off,
  'merge.verifysignatures': off,
  'gpg.format': word,
  'gpg.mintrustlevel': word,

  ...each('remote.*', address, ['lfspushurl', 'lfsurl', 'pushurl', 'url']),
  ...each('remote.*', ref, ['fetch', 'push']),
  ...each('remote.*', flag, [
    'mirror',
    'promisor',
    'prune',
    'prunetags',
    'skipdefaultupdate',
    'skipfetchall',
  ]),
  'remote.*.tagopt': /^--(?:no-)?tags$/,
  'remote.*.partialclonefilter': /^[\w:=.,+-]{1,200}$/,
  'remote.*.followremotehead': word,
  'remote.pushdefault': address,
  'remotes.*': words,

  ...each('branch.*', address, ['pushremote', 'remote']),
  'branch.*.merge': ref,
  'branch.*.rebase': /^(?:true|false|yes|no|on|off|[01]|m|merges|)$/i,
  'branch.*.description': text,
  ...each('branch', flagOrWord, ['autosetupmerge', 'autosetuprebase', 'sort']),

  'pull.rebase': /^(?:true|false|yes|no|on|off|[01]|m|merges|)$/i,
  'pull.ff': flagOrWord,
  ...each('push', flag, ['autosetupremote', 'followtags', 'negotiate', 'usebitmaps', 'useforceifincludes']),
  'push.default': word,
  ...each('fetch', flag, ['fsckobjects', 'prune', 'prunetags', 'showforcedupdates', 'writecommitgraph']),
  ...each('fetch', number, ['parallel', 'unpacklimit']),
  ...each('fetch', word, ['negotiationalgorithm', 'output']),
  ...each('transfer', flagOrNumber, ['advertisesid', 'fsckobjects', 'unpacklimit']),
  'transfer.hiderefs': ref,
  'transfer.credentialsinurl': word,
  ...each('receive', flagOrNumber, [
    ...['advertiseatomic', 'advertisepushoptions', 'autogc', 'denydeletes', 'denynonfastforwards'],
    ...['fsckobjects', 'keepalive', 'maxinputsize', 'shallowupdate', 'unpacklimit'],
  ]),
  ...each('receive', flagOrWord, ['denycurrentbranch', 'denydeletecurrent']),
  'receive.hiderefs': ref,
  ...each('uploadpack', flagOrNumber, [
    ...['allowanysha1inwant', 'allowfilter', 'allowreachablesha1inwant', 'allowrefinwant'],
    ...['allowtipsha1inwant', 'keepalive'],
  ]),
  'uploadpack.hiderefs': ref,
  'url.*.insteadof': text,
  'url.*.pushinsteadof': text,
  'protocol.allow': /^never$/,
  'protocol.*.allow': /^never$/,
  'protocol.version': number,

  ...each('merge', flagOrWord, ['conflictstyle', 'default', 'directoryrenames', 'ff', 'renames']),
  ...each('merge', flagOrNumber, [
    ...['autostash', 'branchdesc', 'defaulttoupstream', 'log', 'renamelimit', 'renormalize', 'stat'],
    'verbosity',
  ]),
  'merge.suppressdest': ref,
  'merge.*.name': text,
  'merge.*.recursive': word,
  ...each('rebase', flagOrWord, [
    ...['abbreviatecommands', 'autosquash', 'autostash', 'backend', 'forkpoint', 'maxlabellength'],
    ...['missingcommitscheck', 'rebasemerges', 'reschedulefailedexec', 'stat', 'updaterefs'],
  ]),
  ...each('rerere', flag, ['autoupdate', 'enabled']),
  'revert.reference': flag,
  ...each('commit', flagOrWord, ['cleanup', 'status', 'verbose']),
  ...each('status', flagOrWord, [
    ...['aheadbehind', 'branch', 'displaycommentprefix', 'relativepaths', 'renamelimit', 'renames', 'short'],
    ...['showstash', 'showuntrackedfiles'],
  ]),
  ...each('stash', flag, ['showincludeuntracked', 'showpatch', 'showstat']),
  ...each('diff', flagOrWord, [
    ...['algorithm', 'autorefreshindex', 'colormoved', 'context', 'ignoresubmodules', 'indentheuristic'],
    ...['interhunkcontext', 'mnemonicprefix', 'noprefix', 'relative', 'renamelimit', 'renames'],
    ...['statgraphwidth', 'statnamewidth', 'suppressblankempty'],
  ]),
  ...each('diff', words, ['colormovedws', 'dirstat', 'wserrorhighlight']),
  ...each('diff.*', /^[^\0]{0,1000}$/, ['funcname', 'wordregex', 'xfuncname']),
  'diff.*.algorithm': word,
  'diff.*.binary': flagOrWord,
  ...each('log', flagOrWord, [
    ...['abbrevcommit', 'decorate', 'diffmerges', 'follow', 'initialdecorationset', 'mailmap', 'showroot'],
  ]),
  ...each('log', words, ['date', 'graphcolors']),
  'log.excludedecoration': ref,
  ...each('blame', flagOrWord, [
    ...['blankboundary', 'coloring', 'date', 'markignoredlines', 'markunblamablelines', 'showemail'],
    'showroot',
  ]),
  ...each('grep', flagOrWord, [
    ...['column', 'extendedregexp', 'fallbacktonoindex', 'fullname', 'linenumber', 'patterntype', 'threads'],
  ]),
  'mailmap.blob': ref,
  'tag.sort': ref,
  'versionsort.suffix': text,
  'versionsort.prereleasesuffix': text,
  ...each('notes', ref, ['displayref', 'rewriteref']),
  ...each('notes', word, ['mergestrategy', 'rewritemode']),
  'notes.rewrite.*': flag,
  ...each('trailer', word, ['ifexists', 'ifmissing', 'where']),
  ...each('trailer.*', word, ['ifexists', 'ifmissing', 'where']),
  'trailer.*.key': text,
  'trailer.separators': text,

  'submodule.*.url': address,
  'submodule.*.active': flag,
  'submodule.*.branch': ref,
  'submodule.*.fetchrecursesubmodules': flagOrWord,
  'submodule.*.ignore': word,
  'submodule.*.update': /^(?:checkout|merge|none|rebase)$/,
  'submodule.active': pathspec,
  ...each('submodule', flagOrWord, ['alternateerrorstrategy', 'alternatelocation', 'fetchjobs', 'recurse']),

  ...each('add', flag, ['ignoreerrors']),
  ...each('apply', flagOrWord, ['ignorewhitespace', 'whitespace']),
  ...each('am', flag, ['keepcr', 'threeway']),
  'attr.tree': ref,
  ...each('checkout', flagOrWord, ['defaultremote', 'guess', 'thresholdforparallelism', 'workers']),
  'clean.requireforce': flag,
  ...each('commitgraph', flagOrNumber, ['generationversion', 'maxnewfilters', 'readchangedpaths']),
  ...each('feature', flag, ['experimental', 'manyfiles']),
  ...each('gc', flagOrWord, [
    ...['aggressivedepth', 'aggressivewindow', 'auto', 'autodetach', 'autopacklimit', 'bigpackthreshold'],
    ...['cruftpacks', 'packrefs', 'pruneexpire', 'reflogexpire', 'reflogexpireunreachable'],
    ...['rerereresolved', 'rerereunresolved', 'worktreepruneexpire', 'writecommitgraph'],
  ]),
  ...each('gc.*', words, ['reflogexpire', 'reflogexpireunreachable']),
  ...each('i18n', word, ['commitencoding', 'logoutputencoding']),
  ...each('index', flagOrNumber, [
    ...['recordendofindexentries', 'recordoffsettable', 'skiphash', 'sparse', 'threads', 'version'],
  ]),
  'init.defaultbranch': ref,
  'lsrefs.unborn': word,
  ...each('maintenance', flagOrWord, ['auto', 'strategy']),
  ...each('maintenance.*', flagOrWord, ['auto', 'enabled', 'schedule']),
  ...each('pack', flagOrNumber, [
    ...['allowpackreuse', 'compression', 'deltacachelimit', 'deltacachesize', 'depth', 'indexversion'],
    ...['packsizelimit', 'readreverseindex', 'threads', 'usebitmaps', 'usesparse', 'window', 'windowmemory'],
    ...['writebitmaphashcache', 'writebitmaplookuptable', 'writereverseindex'],
  ]),
  ...each('repack', flagOrNumber, [
    ...['packkeptobjects', 'updateserverinfo', 'usedeltabaseoffset', 'usedeltaislands', 'writebitmaps'],
  ]),
  'sparse.expectfilesoutsideofpatterns': flag,
  ...each('splitindex', words, ['maxpercentchange', 'sharedindexexpire']),
  ...each('worktree', flag, ['guessremote', 'userelativepaths']),

  ...bothForms('http', number, ['lowspeedlimit', 'lowspeedtime', 'maxrequests', 'minsessions', 'postbuffer']),
  ...bothForms('http', flagOrWord, ['emptyauth', 'noepsv', 'sslversion', 'version']),
  ...bothForms('http', on, ['sslverify']),
  ...bothForms('credential', text, ['username']),
  ...bothForms('credential', flagOrWord, ['interactive', 'protectprotocol', 'provider', 'usehttppath']),

  // git-lfs(1) is a program of the operator where it runs at all, and reads these from git
  ...each('lfs', address, ['pushurl', 'url']),
  ...each('lfs', flagOrNumber, [
    ...['allowincompletepush', 'basictransfersonly', 'concurrenttransfers', 'fetchrecentalways'],
    ...['fetchrecentcommitsdays', 'fetchrecentrefsdays', 'fetchrecentremoterefs', 'locksverify'],
    ...['repositoryformatversion', 'setlockablereadonly', 'skipdownloaderrors'],
  ]),
  ...each('lfs', text, ['fetchexclude', 'fetchinclude']),
  'lfs.*.access': word,
  'lfs.*.locksverify': flag,
};

/** Sections of programs that the server never starts: git itself reads none of their settings. */
const ofOthers = new Set([
  ...['advice', 'browser', 'color', 'column', 'completion', 'format', 'gitcvs', 'gitflow', 'gitweb', 'gui'],
  ...['help', 'imap', 'instaweb', 'man', 'pretty', 'safe', 'sendemail', 'showbranch', 'stgit', 'svn'],
  ...['svn-remote', 'tar', 'trace2', 'uploadarchive', 'web'],
]);

/** The treatment of a setting in a repository that is not trusted. */
export type Treatment = 'obeyed' | 'irrelevant' | 'ignored';

/** Returns the treatment of a setting; keys in lower case except for the name in their middle. */
export function treatmentOf(key: string, value: string | undefined): Treatment {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const [section, leaf] = [key.slice(0, first), key.slice(last + 1)];
  const name = first === last ? undefined : key.slice(first + 1, last);
  if (ofOthers.has(section)) return 'irrelevant';
  // no key of git has a dash: editors and forges store their own settings there
  if ((section === 'branch' || section === 'remote') && name !== undefined && leaf.includes('-'))
    return 'irrelevant';
  const grammar = grammarOf(section, name, leaf);
  if (grammar === undefined || !grammar.test(value ?? 'true')) return 'ignored';
  if (section === 'url' && !address.test(name ?? '')) return 'ignored';
  return 'obeyed';
}

function grammarOf(section: string, name: string | undefined, leaf: string): Grammar | undefined {
  const own = name === undefined ? [`${section}.${leaf}`, `${section}.*`] : [`${section}.*.${leaf}`];
  if (section === 'notes' && name === 'rewrite') own.push('notes.rewrite.*');
  const row = own.find((key) => Object.hasOwn(harmless, key));
  return row === undefined ? undefined : harmless[row];
}

function each(section: string, grammar: Grammar, keys: readonly string[]): Record<string, Grammar> {
  return Object.fromEntries(keys.map((key) => [`${section}.${key}`, grammar]));
}

/** Returns the settings for every address, and the same for one. */
function bothForms(section: string, grammar: Grammar, keys: readonly string[]): Record<string, Grammar> {
  return { ...each(section, grammar, keys), ...each(`${section}.*`, grammar, keys) };
}
