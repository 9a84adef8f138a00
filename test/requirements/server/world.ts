import type { Server } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { test } from 'vitest';
import type { LedgerRevision } from '../ledger.ts';
import { type Proves, provesAt } from '../prove.ts';
import { isStateless } from '../revisions.ts';
import { fixture } from './fixture.ts';
import { Talk } from './talk.ts';

export interface OpenOptions {
  /** what the client declares */
  capabilities?: object;
  /** whether it says that it is ready; default true */
  ready?: boolean;
}

/** One revision as a server test meets it. */
export interface World {
  revision: LedgerRevision;
  stateless: boolean;
  proves: Proves;
  /** A talk that has not begun. */
  raw(server?: Server, options?: OpenOptions): Talk;
  /** A talk whose handshake, where there is one, is over. */
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

/** Begins a handshake session and gives the server's answer. */
export function shakeHands(talk: Talk, capabilities: object = {}, protocolVersion: string = talk.revision) {
  const clientInfo = { name: 'tester', version: '1.0.0' };
  return talk.request('initialize', { protocolVersion, capabilities, clientInfo });
}
