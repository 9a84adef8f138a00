import { ConnectionError, RpcError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import { errors } from '../protocol/errors.ts';
import { metaKeys } from '../protocol/meta.ts';
import { projectImplementation } from '../protocol/project.ts';
import {
  handshakeRevisions,
  isHandshakeRevision,
  newestStatelessRevision,
  type Revision,
  statelessRevisions,
} from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError } from './errors.ts';
import type { Link } from './link.ts';
import type { Settings } from './options.ts';
import { declaredBy } from './providers.ts';
import { checkResult } from './results.ts';

/** A link with its negotiated revision, and what the server declared. */
export interface Agreement {
  link: Link;
  revision: Revision;
  /** undefined while a pinned server has not been asked */
  capabilities: t.ServerCapabilities | undefined;
  serverInfo: t.Implementation | undefined;
  instructions: string | undefined;
}

export type OpenLink = () => Promise<Link>;

/** Error codes that only a server of the stateless era sends; they exclude the fallback to `initialize`. */
export const statelessCodes: ReadonlySet<number> = new Set([
  errors.HeaderMismatch.code,
  errors.MissingRequiredClientCapability.code,
  errors.UnsupportedProtocolVersion.code,
]);

/**
 * Negotiates a revision with a server, in the era of the settings.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
 */
export async function negotiate(open: OpenLink, settings: Settings): Promise<Agreement> {
  const link = await open();
  try {
    if (settings.era === 'handshake') return await handshake(link, settings);
    if (settings.era !== 'auto') return pin(link, settings.era.pinned);
    const found = await probe(link, settings, newestStatelessRevision);
    if (found !== undefined) return found;
    if (link.closed === undefined) return await handshake(link, settings);
  } catch (error) {
    await link.close('the client could not agree with the server');
    throw error;
  }
  // some servers exit if their first message is not `initialize`
  await link.close('the server closed the connection during the probe');
  return negotiate(open, { ...settings, era: 'handshake' });
}

function pin(link: Link, revision: Revision): Agreement {
  link.settle(revision);
  return { link, revision, capabilities: undefined, serverInfo: undefined, instructions: undefined };
}

/** Returns the `_meta` of every request of the stateless era. */
export function statelessMeta({ info, providers }: Settings, revision: Revision): t.RequestMetaObject {
  return {
    [metaKeys.protocolVersion]: revision,
    [metaKeys.clientCapabilities]: declaredBy(providers, revision),
    [metaKeys.clientInfo]: projectImplementation(revision, info),
  };
}

/**
 * Returns the agreement with a server of the stateless era, or undefined for a server that seems to be of
 * another era.
 */
async function probe(
  link: Link,
  settings: Settings,
  revision: Revision,
  again = false,
): Promise<Agreement | undefined> {
  let result: Params;
  try {
    result = await discover(link, settings, revision);
  } catch (error) {
    if (error instanceof ConnectionError) return whenUnanswered(error);
    if (!(error instanceof RpcError) || !statelessCodes.has(error.code)) return undefined;
    const supported = isObject(error.data) ? error.data.supported : undefined;
    const listed = common(supported);
    // even if it is the refused revision: some servers of a cluster may be older than others
    if (listed === undefined || again) throw disagreement(supported, error);
    return probe(link, settings, listed, true);
  }
  const { supportedVersions } = result;
  const chosen = common(supportedVersions);
  if (chosen !== undefined) return discovered(link, chosen, result);
  // a server may list its handshake revisions too
  if (Array.isArray(supportedVersions) && supportedVersions.some(isHandshakeRevision)) return undefined;
  throw disagreement(supportedVersions);
}

/** Returns undefined, because a server that does not respond to the probe, or closes, may support the handshake. */
function whenUnanswered(error: ConnectionError): undefined {
  if (error.reason === 'cancelled') throw error;
  return undefined;
}

async function discover(link: Link, settings: Settings, revision: Revision): Promise<Params> {
  const { probeTimeout, signal } = settings;
  const unaddressed = new Promise<never>((_resolve, reject) => {
    // servers that cannot parse the probe may omit its id
    link.onUnaddressed = reject;
  });
  const answered = link.request(
    'server/discover',
    { _meta: statelessMeta(settings, revision) },
    { timeout: probeTimeout, ...(signal !== undefined && { signal }) },
  );
  answered.catch(() => {
    // the error without an id has already settled this
  });
  try {
    return await Promise.race([answered, unaddressed]);
  } finally {
    link.onUnaddressed = undefined;
  }
}

async function discovered(link: Link, revision: Revision, result: Params): Promise<Agreement> {
  // the schema has these members
  const checked = (await checkResult(revision, 'server/discover', result)) as unknown as t.DiscoverResult;
  link.settle(revision);
  return {
    link,
    revision,
    capabilities: checked.capabilities,
    serverInfo: checked._meta?.[metaKeys.serverInfo],
    instructions: checked.instructions,
  };
}

async function handshake(link: Link, settings: Settings): Promise<Agreement> {
  const { revision: wanted, info, providers, timeout, signal } = settings;
  const result = await link.request(
    'initialize',
    {
      protocolVersion: wanted,
      capabilities: declaredBy(providers, wanted),
      clientInfo: projectImplementation(wanted, info),
    },
    { timeout, ...(signal !== undefined && { signal }) },
  );
  const { protocolVersion: revision } = result;
  if (!isHandshakeRevision(revision)) throw disagreement([revision]);
  const { capabilities, serverInfo, instructions } = (await checkResult(
    revision,
    'initialize',
    result,
  )) as unknown as t.InitializeResult; // the schema has these members
  link.settle(revision);
  return { link, revision, capabilities, serverInfo, instructions };
}

/** Returns the newest stateless revision in a list of the server. */
function common(supported: unknown): Revision | undefined {
  if (!Array.isArray(supported)) return undefined;
  return statelessRevisions.toReversed().find((revision) => supported.includes(revision));
}

function disagreement(supported: unknown, cause?: Error): Error {
  const theirs =
    Array.isArray(supported) && supported.length > 0 ? supported.map(String).join(', ') : 'others';
  const ours = [...handshakeRevisions, ...statelessRevisions].join(', ');
  const message = `no common protocol version: the server has ${theirs}, this client ${ours}`;
  return new AnswerError(message, cause === undefined ? undefined : { cause });
}
