import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { saidBy } from '../changes/said.ts';
import type { Opened } from '../opened.ts';
import { command } from '../run/command.ts';
import { hooksRun } from './hooks.ts';
import type { Contents, Ready } from './ready.ts';

/** How a commit is made of its contents. */
export interface Manner extends Contents {
  /** undefined: the one of what is amended, or that git proposes for what is concluded */
  readonly message: string | undefined;
  readonly author: string | undefined;
  readonly date: string | undefined;
  readonly signoff: boolean;
  readonly sign: boolean | undefined;
  readonly noVerify: boolean;
}

/** In bytes: a longer message is read by git, as systems end a command line. */
const LONGEST_ARGUMENT = 16_384;

/** Has git make the commit: what was said meanwhile. */
export async function record(opened: Opened, manner: Manner, { selection }: Ready): Promise<string> {
  const { message, author, date, sign } = manner;
  // paths that do not fit the command line take stdin; as by hand, nothing is on stdin for what git starts
  const short = message !== undefined && Buffer.byteLength(message) <= LONGEST_ARGUMENT;
  const isArgument = selection?.fits === false || (hooksRun(opened) && short);
  const given = message === undefined ? ['--no-edit' as const] : isArgument ? [] : ['--file=-' as const];
  const asked = command('commit', {
    flags: [
      '--quiet',
      ...given,
      // what git proposes has lines for people, which begin with #
      message === undefined && !manner.amend ? '--cleanup=strip' : '--cleanup=verbatim',
      ...(manner.all ? (['--all'] as const) : []),
      ...(selection === undefined ? [] : (['--only'] as const)),
      ...(manner.amend ? (['--amend'] as const) : []),
      ...(manner.allowEmpty ? (['--allow-empty'] as const) : []),
      ...(manner.signoff ? (['--signoff'] as const) : []),
      ...(sign === undefined ? [] : [sign ? ('--gpg-sign' as const) : ('--no-gpg-sign' as const)]),
      ...(manner.noVerify && hooksRun(opened) ? (['--no-verify'] as const) : []),
    ],
    options: {
      '--author': author,
      '--date': date,
      ...(isArgument && { '--message': message }),
    },
    ...(selection !== undefined && { paths: selection.paths }),
    ...(message !== undefined && !isArgument && { input: Buffer.from(message) }),
  });
  let said = '';
  try {
    await opened.run(asked, { onStderr: (chunk) => (said += chunk.toString()) });
    return said;
  } catch (error) {
    if (error instanceof ToolError && hooksRun(opened)) throw refusedBy(error, said);
    // git keeps the message in a file that no lock guards
    if (message !== undefined && message.trim() !== '' && /due to empty commit message/.test(said))
      throw committing(error);
    throw error;
  }
}

/** The failure with what the hooks said, which is the reason as a rule. */
function refusedBy(error: ToolError, output: string): ToolError {
  const { code, retryable, hint, message } = error;
  const said = saidBy(output);
  if (said === undefined) return error;
  const byHook = code === 'git-failed' && !/^fatal:/m.test(output);
  return new ToolError(`${byHook ? 'git commit: a hook refused the change' : message}\n${said}`, {
    code: byHook ? 'hook-rejected' : code,
    retryable,
    cause: error,
    ...defined({ hint }),
  });
}

function committing(cause: unknown): ToolError {
  return new ToolError('another git makes a commit there at this moment', {
    code: 'locked',
    retryable: true,
    hint: 'nothing was committed; try again',
    cause,
  });
}
