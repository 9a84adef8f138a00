import { defined } from '@rootbound/kit/primitives';
import type { SimpleGitOptions } from 'simple-git';
import type { Command } from './command.ts';
import { environmentOf, folderOf } from './environment.ts';
import { failureOf, notStarted, stopped } from './failure.ts';
import { redact } from './redact.ts';
import type { Finished, RunOptions } from './run.ts';
import { verbs } from './verbs.ts';
import type { Executable } from './work.ts';
import type { Place } from './work-place.ts';

/**
 * Options for simple-git, which would refuse these settings: those that disarm a repository look to it like an attack.
 * No argument of a caller reaches these switches, since the table of verbs decides on every argument.
 */
const unsafe = {
  allowUnsafeConfigEnvCount: true,
  allowUnsafeExec: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafeSshCommand: true,
  allowUnsafeAskPass: true,
  allowUnsafeEditor: true,
  allowUnsafePager: true,
  allowUnsafeGitProxy: true,
  allowUnsafeFilter: true,
  allowUnsafeMergeDriver: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeDiffTextConv: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeAlias: true,
  allowUnsafePack: true,
  allowUnsafeSubmodule: true,
  allowUnsafeUrlRewrite: true,
  allowUnsafeInclude: true,
  allowUnsafeCommandBinaries: true,
  allowUnsafeCustomBinary: true,
} as const satisfies SimpleGitOptions['unsafe'];

/**
 * Returns whether simple-git may carry a command: a short write that starts no other program and uses no network.
 * simple-git ends git alone, without its process group and by SIGINT, so commands that run a hook or gpg are not for
 * it.
 */
export function isCarried({ verb, args }: Command, place: Place): boolean {
  return (
    verbs[verb].carried &&
    place.byHand === undefined &&
    !args.some((arg) => /^(?:--sign|--local-user)/.test(arg))
  );
}

/** Runs git through simple-git. A status other than success is a ToolError, as in `run`. */
export async function carry(
  program: Executable,
  command: Command,
  options: RunOptions = {},
): Promise<Finished> {
  const { place, signal, okay = [0] } = options;
  const { verb, args, input } = command;
  const { simpleGit } = await import('simple-git');
  if (isAborted(signal)) throw stopped(verb, 'cancelled', 0);
  const { idle } = verbs[verb];
  const cwd = folderOf(program, command, place);
  const environment = environmentOf(program, command, place, options);
  let ended: { exitCode: number | null; stdOut: Buffer[]; stdErr: Buffer[] } | undefined;
  const git = simpleGit({
    baseDir: cwd,
    binary: program.path,
    unsafe,
    allowEnvironment: Object.keys(environment),
    timeout: { block: idle },
    // by default it waits 50 ms for git's output, which a busy server has not read by then
    completion: { onExit: false },
    ...defined({ abort: signal }),
    ...(input !== undefined && { input: () => input }),
    // by default it takes a failure without output for a success; here only its plugins' errors are failures
    errors: (error, result) => {
      ended = result;
      return error instanceof Error && 'plugin' in error ? error : undefined;
    },
  }).env(environment);
  try {
    await git.raw([...args]);
  } catch (error) {
    if (isAborted(signal)) throw stopped(verb, 'cancelled', 0);
    const failure = error as Error & { plugin?: string };
    if (failure.plugin === 'timeout') throw stopped(verb, 'idle', idle);
    throw notStarted(verb, failure);
  }
  const { exitCode, stdOut, stdErr } = ended!;
  // undefined for a signal, and negative where git was not started
  const status = exitCode ?? 128;
  if (status < 0) throw notStarted(verb, new Error(Buffer.concat(stdErr).toString()));
  const stdout = Buffer.concat(stdOut);
  const stderr = Buffer.concat(stdErr).toString();
  options.onStdout?.(stdout);
  options.onStderr?.(Buffer.from(stderr));
  if (!okay.includes(status)) throw failureOf({ verb, place }, status, stdout, stderr);
  return { status, stdout, stderr: redact(stderr), truncated: false };
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
