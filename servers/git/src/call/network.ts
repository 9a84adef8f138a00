import { ToolError } from '@rootbound/protocol';
import { usualSsh } from '../run/environment.ts';
import type { Git } from '../run/git.ts';
import type { RunOptions } from '../run/run.ts';
import { type Protocol, protocolOf } from './protocols.ts';

/** The network access that the operator permits. */
export interface Network {
  readonly protocols: ReadonlySet<Protocol>;
  /** protocols besides those of each verb */
  readonly limits?: RunOptions['limits'] | undefined;
}

/** Returns the protocol of an address; throws for one that the operator does not permit. */
export function requireProtocol({ protocols }: Network, address: string): Protocol {
  const protocol = protocolOf(address);
  if (protocol !== undefined && protocols.has(protocol)) return protocol;
  const what =
    protocol === undefined ? 'git would start a program for this address' : `${protocol} is not allowed`;
  throw new ToolError(what, {
    code: 'protocol-not-allowed',
    hint:
      protocol === undefined
        ? 'use https://host/path or ssh://user@host/path'
        : `the operator can allow it: --allow-protocol ${[...protocols, protocol].join(',')}`,
  });
}

/**
 * Returns the settings of a run that uses these protocols; git opens no others, whatever the configuration says by
 * then.
 */
export function reaching(
  { protocols }: Network,
  used: readonly Protocol[],
  git: Git,
  sshCommand: string | undefined,
): NonNullable<RunOptions['environment']> {
  // a server may redirect from the one to the encrypted other
  const redirected = used.includes('http') && protocols.has('https') ? ['https'] : [];
  const own = sshCommand !== undefined && git.environment.GIT_SSH_COMMAND === usualSsh;
  return {
    GIT_ALLOW_PROTOCOL: [...new Set([...used, ...redirected])].join(':'),
    ...(own && { GIT_SSH_COMMAND: Buffer.from(sshCommand, 'latin1').toString() }),
  };
}
