import { stripVTControlCharacters } from 'node:util';
import { ToolError } from '@rootbound/protocol';
import { hookRefusal, likelyRefusal } from './hook-refusal.ts';
import { redact } from './redact.ts';
import { signingFailure } from './signing-failure.ts';
import type { Verb } from './verbs.ts';
import type { Place } from './work-place.ts';

export type FailureCode =
  | 'auth'
  | 'configuration'
  | 'conflict'
  | 'dubious-ownership'
  | 'exists'
  | 'git-failed'
  | 'hook-rejected'
  | 'in-use'
  | 'invalid-path'
  | 'local-changes'
  | 'locked'
  | 'missing-object'
  | 'missing-program'
  | 'moved'
  | 'network'
  | 'no-merge-base'
  | 'no-identity'
  | 'non-fast-forward'
  | 'not-a-repository'
  | 'not-signed'
  | 'nothing-to-commit'
  | 'unknown-path'
  | 'unknown-revision'
  | 'unsupported';

interface Kind {
  readonly code: FailureCode;
  readonly words: RegExp;
  readonly message: string;
  readonly hint: string;
  readonly retryable?: true;
}

/** git's own words in the C locale; the first matching row decides */
const kinds: readonly Kind[] = [
  {
    code: 'dubious-ownership',
    words: /detected dubious ownership/,
    message: 'the repository belongs to another user',
    hint: 'the operator can name it in safe.directory of the global git configuration',
  },
  {
    code: 'locked',
    words: /Unable to create '[^']*\.lock': File exists|Another git process seems to be running/,
    message: 'another git process holds a lock of the repository',
    hint: 'try again when it is done; a lock that a crashed process left has to be removed by hand',
    retryable: true,
  },
  {
    code: 'auth',
    words:
      /Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|Permission denied \(|requested URL returned error: 40[13]|Host key verification failed|HTTP Basic: Access denied/,
    message: 'the other repository rejected the credentials',
    hint: 'nobody can be asked for a password here: set up a credential helper or an ssh agent',
  },
  {
    code: 'no-identity',
    words:
      /Please tell me who you are|auto-detection is disabled|unable to auto-detect email|empty ident name/,
    message: 'git has no author for the change',
    hint: 'set user.name and user.email in the git configuration',
  },
  {
    code: 'not-signed',
    words: /failed to sign the data|unable to sign the tag/,
    message: 'nothing was created, as it could not be signed',
    hint: 'set up user.signingKey and its program, or do without: sign: false',
  },
  {
    code: 'hook-rejected',
    words: /\bhook declined\b|hook rejected|\(pre-receive hook/,
    message: 'a hook refused the change',
    hint: 'the message of the hook is in the output',
  },
  {
    code: 'non-fast-forward',
    words: /Not possible to fast-forward|Diverging branches can't be fast-forwarded/,
    message: 'the branches have diverged',
    hint: 'nothing was done; join them by a merge or a rebase',
  },
  {
    code: 'non-fast-forward',
    words: /\[rejected\]|non-fast-forward|fetch first|\(stale info\)|Updates were rejected/,
    message: 'the reference has moved meanwhile',
    hint: 'fetch, look at what is new, then merge or rebase',
  },
  {
    code: 'moved',
    words: /cannot lock ref '[^'\n]{0,300}': (?:is at \w+ but expected|reference already exists)/,
    message: 'another program has moved the reference meanwhile',
    hint: 'look at what is new, then try again',
    retryable: true,
  },
  {
    code: 'local-changes',
    words:
      /would be overwritten|Please commit your changes or stash them|cannot (?:rebase|pull|apply)[^:\n]{0,100}: You have unstaged|index contains uncommitted changes|contains modified or untracked files/i,
    message: 'changed files would be overwritten',
    hint: 'commit them, stash them, or discard them',
  },
  {
    code: 'conflict',
    words:
      /^CONFLICT \(|Automatic merge failed|could not apply|Merge conflict|resolve your current index first|you have unmerged files|is not possible because you have unmerged files|patch does not apply|patch failed:/im,
    message: 'there are conflicts',
    hint: 'resolve them and continue, or abort',
  },
  {
    code: 'no-merge-base',
    words: /refusing to merge unrelated histories/,
    message: 'the two histories have no commit in common here',
    hint: 'in a shallow clone git_fetch with deepen: <number> or unshallow: true gets older commits; allow_unrelated: true merges them as they are',
  },
  {
    code: 'nothing-to-commit',
    words: /^nothing (?:added )?to commit|^no changes added to commit/m,
    message: 'nothing is staged',
    hint: 'stage changes first, or ask for an empty commit',
  },
  {
    code: 'exists',
    words:
      /\b(?:branch|tag|remote|worktree)(?: named)? \S+ already exists|already exists and is not an empty directory/i,
    message: 'the name is in use',
    hint: 'choose another name, or delete that one',
  },
  {
    code: 'unsupported',
    words: /HEAD not found below refs\/heads/,
    message: 'HEAD is at a ref that is no branch, where git changes no branches',
    hint: 'check out a branch or a commit first',
  },
  {
    code: 'in-use',
    words: /is already (?:checked out|used by worktree) at/,
    message: 'another work tree has that branch checked out',
    hint: 'work there, or detach',
  },
  {
    code: 'not-a-repository',
    words:
      /not a git repository|does not appear to be a git repository|repository '[^'\n]{0,300}' (?:not found|does not exist)/,
    message: 'there is no repository there',
    hint: 'check the path or the address',
  },
  {
    code: 'network',
    words:
      /Could not resolve host|Failed to connect|Connection (?:refused|reset|timed out|closed)|early EOF|unexpected disconnect|hung up unexpectedly|RPC failed|requested URL returned error: (?:5\d\d|429)|Could not read from remote repository/,
    message: 'the other repository was not reached, or the connection was cut',
    hint: 'check the address and try again',
    retryable: true,
  },
  {
    code: 'unsupported',
    words: /not in another repository|failed in submodule /,
    message: 'git would work in a repository within, under the settings of that one',
    hint: 'declare it in .gitmodules, leave its path out, or trust the repository',
  },
  {
    code: 'invalid-path',
    words: /\bis in submodule '/,
    message: 'a path is in a submodule',
    hint: 'work in the submodule: it is a repository of its own',
  },
  {
    code: 'invalid-path',
    words: /is outside repository|is beyond a symbolic link/,
    message: 'a path leads out of the work tree',
    hint: 'name what is in it; a link is a path of its own',
  },
  {
    code: 'unknown-revision',
    words:
      /unknown revision|bad revision|not a valid object name|bad object|invalid object name|invalid reference|couldn't find remote ref|ambiguous argument|is not a commit|no such ref|src refspec \S+ does not match/i,
    message: 'there is no such revision',
    hint: 'git_branch, git_log and git_list with kind tags list revisions',
  },
  {
    code: 'unknown-path',
    words: /did not match any file|no such path|does not exist in|exists on disk, but not in|no such ref/i,
    message: 'git knows no such path',
    hint: 'git_status and git_list_files list paths',
  },
  {
    code: 'unsupported',
    words: /unknown repository extensions? found:\s+(?:[\w-]{1,40}\s+){0,10}refstorage/,
    message: 'refs are kept in the reftable format here, which this git cannot read',
    hint: 'install git 2.45 or newer',
  },
  {
    code: 'missing-object',
    words: /unable to read [0-9a-f]{40}|missing blob object|from promisor remote|lazy fetching disabled/,
    message: 'an object is not stored here',
    hint: 'a partial clone has not fetched it, or the repository is damaged',
  },
  {
    code: 'configuration',
    words: /could not open object name list: /,
    message: 'a file that the configuration names is missing',
    hint: 'create the file that blame.ignoreRevsFile (or fsck.skipList) names, or unset that setting; git config --show-origin says where it is set',
  },
  {
    code: 'configuration',
    words: /(?:failed to|could not) read orderfile /,
    message: 'a file that the configuration names is missing',
    hint: 'create the file that diff.orderFile names, or unset that setting; git config --show-origin says where it is set',
  },
  {
    code: 'configuration',
    words: /failed to expand user dir in: |could not expand include path /,
    message: 'a path in the configuration begins with a user that does not exist',
    hint: 'git config --list --show-origin names the setting: correct it',
  },
  {
    code: 'unsupported',
    words:
      /unknown (?:option|switch|subcommand)|is not a git command|unknown repository extension|Expected git repo version|transport '[^']*' not allowed|unsupported/,
    message: 'this version of git cannot do that',
    hint: 'a newer version may',
  },
];

export interface Circumstances {
  readonly verb: Verb;
  readonly args?: readonly string[] | undefined;
  readonly place?: Place | undefined;
  /** the hooks that the run had to run */
  readonly hooks?: readonly string[] | undefined;
}

/** Returns the failure for a status other than success, from git's words on both outputs. */
export function failureOf(
  { verb, args = [], place, hooks = [] }: Circumstances,
  status: number,
  stdout: Buffer,
  stderr: string,
): ToolError {
  // git prints conflicts and rejected pushes on stdout
  const printed = stdout.subarray(0, 8192).toString();
  const ending = { verb, args, hooks, status, stdout: printed, stderr };
  // a hook's words may be anything, such as those of a git that it ran
  const refused = hookRefusal(ending);
  if (refused !== undefined) return refused;
  const unsigned = signingFailure(verb, redact(stripVTControlCharacters(stderr)));
  if (unsigned !== undefined) return unsigned;
  const outputs = `${stderr}\n${printed}`;
  const program = missingProgram(stderr);
  if (program !== undefined)
    return new ToolError(`git ${verb}: ${cleaned(program, place)}, which a filter needs, is missing`, {
      code: 'missing-program',
      hint: `install ${cleaned(program, place)} in a folder on the PATH of this server, or remove its settings`,
    });
  const kind = kinds.find(({ words }) => words.test(outputs));
  const reason = cleaned(reasonOf(stderr) ?? reasonOf(printed) ?? `status ${status}`, place);
  if (kind !== undefined) {
    const { code, message, hint, retryable = false } = kind;
    return new ToolError(`git ${verb}: ${message} (${reason})`, { code, hint, retryable });
  }
  const likely = likelyRefusal(ending);
  if (likely !== undefined) return likely;
  return new ToolError(`git ${verb} failed (${reason})`, { code: 'git-failed' });
}

/** Lines in which git names its own commands to go on with: a result names the calls that do so. */
const advice =
  /^(?:hint:|\s*\(use "git |Use "git |To (?:abort|continue|restore|skip) |When you have |If you (?:prefer|wish) |Resolve all conflicts|After resolving |You can (?:instead|run) |and then commit with)/;

/**
 * Returns the program that git did not find for a filter or a merge driver: by the words of git, or of the shell, which
 * git starts with the command line as its name.
 */
function missingProgram(stderr: string): string | undefined {
  const ofGit =
    /^error: cannot run (\S{1,200}): No such file[^\n]{0,200}\n\w+: cannot fork to run external filter/m;
  const ofShell = /^(\S{1,200})(?: [^\n]{0,400})?: (?:line )?\d+: \1: (?:command )?not found$/m;
  return (ofGit.exec(stderr) ?? ofShell.exec(stderr))?.[1];
}

/** Returns the most telling line: the last that git itself marks, or the last of all. */
function reasonOf(output: string): string | undefined {
  const lines = output.split(/[\r\n]+/).filter((line) => line.trim() !== '' && !advice.test(line));
  const at = lines.findLastIndex((line) => /^(?:fatal|error|remote: error):/.test(line));
  const marked = lines[at];
  // its findings are in the lines below
  const whole = marked?.endsWith(':') === true ? [marked, lines[at + 1]?.trim()].join(' ') : marked;
  return (whole ?? lines.at(-1))?.replace(/^(?:fatal|error): /, '');
}

/** Returns one short line without credentials, and with paths of the repository alone. */
function cleaned(text: string, place: Place | undefined): string {
  let line = redact(stripVTControlCharacters(text)).replaceAll(':(literal)', '');
  if (place?.workTree !== undefined) line = line.replaceAll(`${place.workTree}/`, '');
  if (place !== undefined) line = line.replaceAll(place.gitDir, '.git');
  line = line
    .replace(/(?<![\w:/.*-])(?:\/|[A-Za-z]:[\\/])[^\s'":,;()]+/g, '<path>')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** Returns the failure of a git that did not even start. */
export function notStarted(verb: Verb, error: NodeJS.ErrnoException): ToolError {
  const { code } = error;
  if (code === 'E2BIG' || code === 'ENAMETOOLONG') {
    return new ToolError(`git ${verb} received too many arguments`, {
      code: 'unsupported',
      hint: 'name fewer paths',
      cause: error,
    });
  }
  const retryable = code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM';
  const message = retryable
    ? 'the system has no room for another process'
    : 'git, or the repository, is gone';
  return new ToolError(`git ${verb} did not start: ${message}`, {
    code: 'git-failed',
    retryable,
    cause: error,
  });
}

/** Returns the failure of a run that the server stopped. */
export function stopped(verb: Verb, why: 'cancelled' | 'idle' | 'total', milliseconds: number): ToolError {
  if (why === 'cancelled') return new ToolError(`git ${verb} was cancelled`, { code: 'cancelled' });
  const seconds = `${milliseconds / 1000} s`;
  const message =
    why === 'idle' ? `git ${verb} said nothing for ${seconds}` : `git ${verb} took longer than ${seconds}`;
  return new ToolError(message, { code: 'timeout', retryable: true, hint: 'ask for less, or try again' });
}
