import { isObject, type Params } from '../jsonrpc/message.ts';
import { rpcError } from '../protocol/errors.ts';
import { isLoggingLevel } from '../protocol/logging.ts';
import { metaKeys } from '../protocol/meta.ts';
import {
  isHandshakeRevision,
  isStatelessRevision,
  newestHandshakeRevision,
  type Revision,
  statelessRevisions,
} from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import type { Facts } from './context.ts';

/**
 * Returns the sender of a stateless request; throws RpcError for missing or invalid `_meta`.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export function statelessFacts(claim: unknown, meta: Params, principal: string | undefined): Facts {
  if (typeof claim !== 'string')
    throw rpcError('InvalidParams', `_meta ${metaKeys.protocolVersion} must be a string`);
  if (!isStatelessRevision(claim)) {
    const data = { supported: [...statelessRevisions], requested: claim };
    throw rpcError(
      'UnsupportedProtocolVersion',
      `protocol version ${JSON.stringify(claim)} is not supported`,
      data,
    );
  }
  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isObject(capabilities))
    throw rpcError('InvalidParams', `_meta ${metaKeys.clientCapabilities} must be an object`);
  const client = meta[metaKeys.clientInfo];
  if (client !== undefined && !isImplementation(client))
    throw rpcError('InvalidParams', `_meta ${metaKeys.clientInfo} must have a name and a version`);
  const logLevel = meta[metaKeys.logLevel];
  if (logLevel !== undefined && !isLoggingLevel(logLevel))
    throw rpcError('InvalidParams', `_meta ${metaKeys.logLevel} must be a log level from debug to emergency`);
  return {
    revision: claim,
    client,
    capabilities: capabilities as t.ClientCapabilities, // an open object; each use checks its member
    logLevel,
    principal,
    session: undefined,
  };
}

/** The params of `initialize`, with the revision that the session will have. */
export interface Introduction {
  revision: Revision;
  capabilities: t.ClientCapabilities;
  client: t.Implementation;
}

/** Reads `initialize`. A revision that is not supported is answered with the newest handshake revision. */
export function readInitialize({ protocolVersion, capabilities, clientInfo }: Params): Introduction {
  if (typeof protocolVersion !== 'string')
    throw rpcError('InvalidParams', `protocolVersion must be a string such as ${newestHandshakeRevision}`);
  if (!isObject(capabilities)) throw rpcError('InvalidParams', 'capabilities must be an object');
  if (!isImplementation(clientInfo))
    throw rpcError('InvalidParams', 'clientInfo must have a name and a version');
  return {
    revision: isHandshakeRevision(protocolVersion) ? protocolVersion : newestHandshakeRevision,
    capabilities: capabilities as t.ClientCapabilities, // as above
    client: clientInfo,
  };
}

function isImplementation(value: unknown): value is t.Implementation {
  return isObject(value) && typeof value.name === 'string' && typeof value.version === 'string';
}
