import type { Client } from '../client/client.ts';
import { connect } from '../client/connect.ts';
import { folderRoots } from '../client/folder-roots.ts';
import type { ClientOptions } from '../client/options.ts';
import type { Transport } from '../client/transport.ts';
import { isStatelessRevision } from '../protocol/revisions.ts';
import { visible } from '../protocol/visible.ts';
import { childProcess } from '../transports/child.ts';
import { http } from '../transports/http-client/transport.ts';
import { clientInfo } from './client-info.ts';
import type { Io } from './io.ts';
import type { InspectOptions, Target } from './options.ts';
import { askingOn } from './questions.ts';
import { type Tap, tapped, tappedFetch } from './wire.ts';

/** Callbacks for output besides results. */
export interface OutputEvents {
  /** called before a line is written to stderr */
  readonly before: () => void;
  /** called with the reason when the connection is closed */
  readonly over: (reason: string) => void;
}

/** Returns a client of the server on the command line. */
export async function connectTo(
  options: InspectOptions,
  io: Io,
  { before, over }: OutputEvents,
): Promise<Client> {
  const { target, roots, wire, timeout } = options;
  const tell = (line: string): void => {
    before();
    io.err(`${visible(line)}\n`);
  };
  const tap: Tap = (direction, text) => tell(`${direction} ${text}`);
  const transport = transportTo(target, wire ? tap : undefined);
  const client = await connect(wire ? tapped(transport, tap) : transport, {
    ...clientInfo,
    ...eraOf(options),
    timeout,
    elicitation: askingOn(io, before),
    ...(roots.length > 0 && { roots: folderRoots(roots) }),
    onNotification: (method, { level, logger, data }) => {
      if (method !== 'notifications/message') return;
      const name = typeof logger === 'string' ? ` ${logger}` : '';
      tell(`${String(level)}${name}: ${typeof data === 'string' ? data : JSON.stringify(data)}`);
    },
    onError: ({ message }) => tell(message),
    onClose: over,
  });
  if (client.capabilities === undefined) await client.discover();
  return client;
}

function transportTo(target: Target, tap: Tap | undefined): Transport {
  if (target.kind === 'stdio') {
    const { command, args, env } = target;
    return childProcess({ command, args, env });
  }
  const { url, headers } = target;
  return http(url, { headers, ...(tap !== undefined && { fetch: tappedFetch(tap) }) });
}

function eraOf({ revisions: [revision] }: InspectOptions): Pick<ClientOptions, 'era' | 'revision'> {
  if (revision === undefined) return {};
  return isStatelessRevision(revision) ? { era: { pinned: revision } } : { era: 'handshake', revision };
}
