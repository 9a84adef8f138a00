import { showName } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { CallOptions, Opened } from '../../call/open-repository.ts';
import type { Command } from '../../run/command.ts';
import { redact } from '../../run/redact.ts';
import { progressTo } from '../safety/progress.ts';

/** The client that waits for the call. */
export interface Waiting {
  readonly wantsProgress: boolean;
  progress(progress: number, total?: number, message?: string): void;
}

/** The outcome of a run that may stop half-way: the state of the repository decides it, not the status. */
export interface Attempt {
  /** git's status was not success */
  readonly failure: ToolError | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes of the output of hooks that are kept. */
const MOST_PRINTED = 64 << 10;
const MOST_PATHS = 20;

export async function attempt(
  opened: Opened,
  command: Command,
  waiting: Waiting,
  { environment, config }: Pick<CallOptions, 'environment' | 'config'>,
): Promise<Attempt> {
  // a refusal is no outcome of the run
  opened.assertTrusted(command);
  opened.assertActs();
  const tell = waiting.wantsProgress ? progressTo((...progress) => waiting.progress(...progress)) : undefined;
  let printed = Buffer.alloc(0);
  const onStderr = (chunk: Buffer): void => {
    tell?.(chunk);
    printed = Buffer.concat([printed, chunk]).subarray(-MOST_PRINTED);
  };
  try {
    // an editor that does nothing accepts every message as proposed
    const all = { GIT_EDITOR: ':', ...environment };
    const { stdout, stderr } = await opened.run(command, { onStderr, environment: all, config });
    return { failure: undefined, stdout: stdout.toString(), stderr };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const stderr = redact(printed.toString());
    return { failure: withReason(error, stderr), stdout: '', stderr };
  }
}

/** Returns a failure with the data that the caller needs to continue: the files in the way. */
function withReason(failure: ToolError, stderr: string): ToolError {
  const { message, code, retryable, hint } = failure;
  // the result of an operation that stopped has the message alone
  if (code === 'not-signed' && hint !== undefined)
    return new ToolError(`${message}; ${hint}`, { code, cause: failure });
  const added = code === 'local-changes' ? inTheWay(stderr) : undefined;
  if (added === undefined) return failure;
  return new ToolError(`${message}: ${added}`, {
    code,
    retryable,
    cause: failure,
    ...defined({ hint }),
  });
}

/** Returns the paths that git lists, each on a line of its own after a tab. */
export function pathsInTheWay(stderr: string): string[] {
  return [...stderr.matchAll(/^\t(.+)$/gm)].map(([, path]) => showName(path!));
}

function inTheWay(stderr: string): string | undefined {
  const paths = pathsInTheWay(stderr);
  if (paths.length === 0) return undefined;
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
  return `${paths.slice(0, MOST_PATHS).join(', ')}${more}`;
}
