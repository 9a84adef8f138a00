/** A program or a variable, and the reason for which it may be there. */
export interface NamedRow {
  readonly name: RegExp;
  readonly reason: string;
}

/** The programs that git starts under a server whose repository is not trusted, by the last part of their path. */
export const programRows: readonly NamedRow[] = [
  { name: /^git$/, reason: 'git itself, and commands of git that it runs as a process' },
  {
    name: /^git-(?:submodule|bisect|merge-(?:one-file|octopus|resolve)|sh-setup|sh-i18n)$/,
    reason: 'commands of git that are scripts',
  },
  {
    name: /^git-(?:upload-pack|receive-pack|remote-https?)$/,
    reason: 'the sides of a transfer; the names are given by this server',
  },
  { name: /^(?:sh|dash|bash)$/, reason: 'runs the scripts of git, and the editor that this server names' },
  { name: /^(?:basename|sed|uname|expr|tr|rm|cat)$/, reason: 'tools that the scripts of git use' },
  { name: /^(?:gettext(?:\.sh)?|envsubst|git-sh-i18n--envsubst)$/, reason: 'messages of the scripts of git' },
  { name: /^ssh$/, reason: 'reaches a remote, by the address and options of the operator' },
];

/** The variables in the environment of git and its programs. */
export const environmentRows: readonly NamedRow[] = [
  { name: /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|TZ|XDG_[A-Z_]+)$/, reason: 'who the operator is, and where' },
  { name: /^(?:LC_ALL|LANGUAGE)$/, reason: 'fixed: errors are classified by the words of git' },
  { name: /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/, reason: 'where the configuration of the operator is' },
  { name: /^GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+)$/, reason: 'the settings that win over every file' },
  {
    name: /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|IMPLICIT_WORK_TREE|CEILING_DIRECTORIES|INDEX_FILE|OBJECT_DIRECTORY|PREFIX)$/,
    reason: 'the repository that was opened: git looks for no other',
  },
  {
    name: /^GIT_(?:TERMINAL_PROMPT|ASKPASS|EDITOR|SEQUENCE_EDITOR|MERGE_AUTOEDIT|PAGER|PAGER_IN_USE)$/,
    reason: 'nobody is asked, and no editor or pager starts but what this server names',
  },
  {
    name: /^(?:SSH_ASKPASS_REQUIRE|GCM_INTERACTIVE|SSH_AUTH_SOCK|SSH_AGENT_PID)$/,
    reason: 'nobody is asked',
  },
  {
    name: /^GIT_(?:PROGRESS_DELAY|ADVICE|OPTIONAL_LOCKS|LITERAL_PATHSPECS|NO_REPLACE_OBJECTS|NO_LAZY_FETCH|ATTR_NOSYSTEM)$/,
    reason: 'fixed: how git prints, and what it leaves alone',
  },
  {
    name: /^GIT_(?:ALLOW_PROTOCOL|PROTOCOL_FROM_USER|PROTOCOL|PROXY_COMMAND|SSH_COMMAND|SSL_[A-Z]+)$/,
    reason: 'which transports there are, and by what',
  },
  {
    name: /^(?:GNUPGHOME|KRB5CCNAME|DBUS_SESSION_BUS_ADDRESS|SSL_CERT_(?:FILE|DIR)|CURL_CA_BUNDLE|(?:https?|all|no)_proxy)$/i,
    reason: 'how the operator reaches out',
  },
  { name: /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/, reason: 'whose the commits of a sequence are' },
  {
    name: /^(?:GIT_(?:REFLOG_ACTION|CHERRY_PICK_HELP|INTERNAL_[A-Z_]+|EXEC_PATH|QUARANTINE_PATH)|GITHEAD_[0-9a-f]+)$/,
    reason: 'what git tells its own commands',
  },
  { name: /^(?:PWD|OLDPWD|SHLVL|_)$/, reason: 'set by the shell that runs a script of git' },
  {
    name: /^(?:TEXTDOMAIN|TEXTDOMAINDIR|USAGE|dashless)$/,
    reason: 'set by the scripts of git for themselves',
  },
  { name: /^GIT_TEST_DISALLOW_ABBREVIATED_OPTIONS$/, reason: 'set by simple-git: no option is cut short' },
];
