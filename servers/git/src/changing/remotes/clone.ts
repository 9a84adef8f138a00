import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { reaching, requireProtocol } from '../../call/network.ts';
import type { Opened } from '../../call/open-repository.ts';
import { configList, parseConfigList } from '../../porcelain/config-list.ts';
import { canStayLocal } from '../../repository/facts.ts';
import { type Command, command } from '../../run/command.ts';
import { refName } from '../../run/operand.ts';
import { run } from '../../run/run.ts';
import { noTemplate } from '../../run/settings.ts';
import { takeDestination } from '../safety/destination.ts';
import { addressOf, folderOf } from './address.ts';
import { otherSideOf } from './remote-folder.ts';
import { remoteOutput } from './remote-output.ts';
import { addressed } from './remote-target.ts';
import { type Call, transferring } from './transfer-call.ts';

/** The arguments of a clone. */
export interface CloneAsked {
  readonly url: string;
  readonly path: string;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
  readonly filter?: string | undefined;
  readonly single_branch?: boolean | undefined;
  readonly bare?: boolean | undefined;
  readonly no_checkout?: boolean | undefined;
}

export interface Cloned<T> {
  readonly url: string;
  readonly output: string | undefined;
  /** the audit of the new repository */
  readonly seen: T;
}

/** Clones a repository; a clone that fails leaves nothing behind. */
export async function cloneFrom<T>(
  asked: CloneAsked,
  call: Call,
  look: (opened: Opened, cloning: Command) => Promise<T>,
): Promise<Cloned<T>> {
  const { scope, repositories, network } = call.scope;
  const git = repositories.gitFor(scope);
  const { signal } = call;
  const address = addressOf(asked.url, undefined);
  // only the operator's: there is no repository yet
  const { stdout } = await run(git, configList(), { signal });
  const entries = parseConfigList(stdout).filter(
    (each) => each.scope === 'system' || each.scope === 'global',
  );
  const url = addressed(entries, address).fetchUrl!;
  const protocol = requireProtocol(network, url);
  const folder = protocol === 'file' ? folderOf(url, '/') : undefined;
  const side = folder === undefined ? undefined : await otherSideOf(repositories, call, folder, 'fetch');
  const { branch, depth, filter, bare, no_checkout, single_branch } = asked;
  if (filter !== undefined && (side !== undefined || !canStayLocal(await git.version()))) throw noFilter();
  const destination = await takeDestination(scope, asked.path);
  const cloning = command('clone', {
    flags: [
      '--progress',
      ...(bare ? (['--bare'] as const) : []),
      ...(no_checkout ? (['--no-checkout'] as const) : []),
      ...(single_branch === undefined
        ? []
        : [single_branch ? ('--single-branch' as const) : ('--no-single-branch' as const)]),
    ],
    options: {
      '--upload-pack': side === undefined ? undefined : `${side.prefix} git-upload-pack`,
      '--branch': branch === undefined ? undefined : refName(branch),
      '--depth': depth,
      '--filter': filter,
    },
    names: [address],
    paths: [destination.path],
  });
  const sshCommand = entries.findLast(({ key }) => key === 'core.sshcommand')?.value;
  try {
    const finished = await run(git, cloning, {
      ...transferring(call),
      config: [noTemplate],
      environment: {
        ...reaching(network, [protocol], git, sshCommand),
        // the checkout of a partial clone fetches the filtered objects
        ...(filter !== undefined && { GIT_NO_LAZY_FETCH: '0' }),
      },
      signal,
    });
    const seen = await repositories.use(scope, destination.path, signal, (opened) => look(opened, cloning));
    return { url, output: remoteOutput(finished.stderr), seen };
  } catch (error) {
    throw left(error, await destination.clear());
  }
}

/** Returns a failure with the data that it left. */
function left(error: unknown, cleared: boolean): unknown {
  if (!(error instanceof ToolError)) return error;
  const { code, retryable, hint } = error;
  const what = cleared ? 'nothing of it is left' : 'a part of it is left at the destination';
  return new ToolError(`${error.message}; ${what}`, {
    code,
    retryable,
    cause: error,
    ...defined({ hint }),
  });
}

function noFilter(): ToolError {
  return new ToolError('a partial clone is not possible here', {
    code: 'unsupported',
    hint: 'leave out filter: folders send all there is, and an old git would fetch what is missing by itself',
  });
}
