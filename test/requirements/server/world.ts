import type { Server } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { test } from 'vitest';
import type { LedgerRevision } from '../ledger.ts';
import { type Proves, provesAt } from '../prove.ts';
import { isStateless } from '../revisions.ts';
import { fixture } from './fixture.ts';
import { Talk } from './talk.ts';

export interface OpenOptions {
  /** the client's capabilities */
  capabilities?: object;
  /** whether it sends `initialized`; default true */
  ready?: boolean;
}

/** The helpers of a server test for one revision. */
export interface World {
  revision: LedgerRevision;
  stateless: boolean;
  proves: Proves;
  /** Creates a talk before any message. */
  raw(server?: Server, options?: OpenOptions): Talk;
  /** Creates a talk after the handshake, if the revision has one. */
  open(server?: Server, options?: OpenOptions): Promise<Talk>;
}

/** Defines a test of a server for each revision. */
export function over(
  revisions: readonly LedgerRevision[],
  name: string,
  body: (world: World) => void | Promise<void>,
): void {
  test.each([...revisions])(`%s: ${name}`, async (revision) => {
    const raw: World['raw'] = (server = fixture(), { capabilities = {} } = {}) =>
      new Talk(serveMemory(server), revision, capabilities);
    await body({
      revision,
      stateless: isStateless(revision),
      proves: provesAt('server', revision),
      raw,
      open: async (server, options = {}) => {
        const talk = raw(server, options);
        if (isStateless(revision)) return talk;
        await shakeHands(talk, options.capabilities);
        if (options.ready !== false) talk.say('{"jsonrpc":"2.0","method":"notifications/initialized"}');
        return talk;
      },
    });
  });
}

/** Performs the handshake and returns the response of the server. */
export function shakeHands(talk: Talk, capabilities: object = {}, protocolVersion: string = talk.revision) {
  const clientInfo = { name: 'tester', version: '1.0.0' };
  return talk.request('initialize', { protocolVersion, capabilities, clientInfo });
}
