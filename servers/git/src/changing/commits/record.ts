import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import { hookOutput } from '../../run/hook-output.ts';
import { dropConflictLines } from '../safety/message-lines.ts';
import { hooksRun } from './hooks.ts';
import type { Contents, Ready } from './readiness.ts';

/** The way in which a commit is made. */
export interface Manner extends Contents {
  /** undefined: the message of the amended commit, or git's proposal for the concluded operation */
  readonly message: string | undefined;
  readonly author: string | undefined;
  readonly date: string | undefined;
  readonly signoff: boolean;
  readonly sign: boolean | undefined;
  readonly noVerify: boolean;
}

/** Bytes; git reads a longer message from stdin, as a command line has a limit. */
const LONGEST_ARGUMENT = 16_384;

/** Makes the commit and returns the output of its hooks. */
export async function record(opened: Opened, manner: Manner, { selection }: Ready): Promise<string> {
  const { message, author, date, sign } = manner;
  if (message === undefined && !manner.amend) await dropConflictLines(opened);
  // paths that do not fit the command line need stdin; as by hand, programs that git starts have nothing on stdin
  const short = message !== undefined && Buffer.byteLength(message) <= LONGEST_ARGUMENT;
  const isArgument = selection?.fits === false || (hooksRun(opened) && short);
  const given = message === undefined ? ['--no-edit' as const] : isArgument ? [] : ['--file=-' as const];
  const asked = command('commit', {
    flags: [
      '--quiet',
      ...given,
      '--cleanup=verbatim',
      ...(manner.all ? (['--all'] as const) : []),
      ...(selection === undefined ? [] : (['--only'] as const)),
      ...(manner.amend ? (['--amend'] as const) : []),
      ...(manner.allowEmpty ? (['--allow-empty'] as const) : []),
      ...(manner.signoff ? (['--signoff'] as const) : []),
      ...(sign === undefined ? [] : [sign ? ('--gpg-sign' as const) : ('--no-gpg-sign' as const)]),
      ...(manner.noVerify ? (['--no-verify'] as const) : []),
    ],
    options: {
      '--author': author,
      '--date': date,
      ...(isArgument && { '--message': message }),
    },
    ...(selection !== undefined && { paths: selection.paths }),
    ...(message !== undefined && !isArgument && { input: Buffer.from(message) }),
  });
  let printed = '';
  try {
    await opened.run(asked, { onStderr: (chunk) => (printed += chunk.toString()) });
    return printed;
  } catch (error) {
    if (error instanceof ToolError && hooksRun(opened)) throw withOutput(error, printed);
    // git keeps the message in a file without a lock
    if (message !== undefined && message.trim() !== '' && /due to empty commit message/.test(printed))
      throw committing(error);
    throw error;
  }
}

/** Codes of failures whose message has what git and the hooks printed. */
const whole: ReadonlySet<string> = new Set(['hook-rejected', 'not-signed']);

/** Returns a failure of git with the output of the hooks before it. */
function withOutput(error: ToolError, output: string): ToolError {
  const { code, retryable, hint, message } = error;
  const printed = whole.has(code) ? undefined : hookOutput(output);
  if (printed === undefined) return error;
  return new ToolError(`${message}\n${printed}`, {
    code,
    retryable,
    cause: error,
    ...defined({ hint }),
  });
}

function committing(cause: unknown): ToolError {
  return new ToolError('another git process is committing', {
    code: 'locked',
    retryable: true,
    hint: 'nothing was committed; try again',
    cause,
  });
}
