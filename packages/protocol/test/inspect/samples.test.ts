import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { streams } from '../../src/client.ts';
import { serveHttp } from '../../src/http.ts';
import { createServer, type Server, tool } from '../../src/index.ts';
import { examine } from '../../src/inspect/check/examine.ts';
import { HttpWire } from '../../src/inspect/check/http-wire.ts';
import { StdioWire } from '../../src/inspect/check/stdio-wire.ts';
import type { Sending, Wire } from '../../src/inspect/check/wire.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import { serveMemory } from '../../src/testing.ts';

/** Long for all responses. */
const patience = 30_000;
/** Short for the one call that never gets a response. */
const trial = 50;
const REASON = 'it takes too long';

describe.each<Revision>(['2025-11-25', '2026-07-28'])(
  'a slow tool that the user has not asked for, in %s',
  (revision) => {
    /** Returns a server with one read-only tool that waits until it is cancelled. */
    function slow(): { server: Server; calledOff: Promise<void> } {
      let end: () => void = () => {};
      const calledOff = new Promise<void>((resolve) => {
        end = resolve;
      });
      const wait = tool({
        name: 'wait',
        description: 'Waits.',
        input: z.object({}),
        annotations: { readOnlyHint: true },
        run: async (_input, { signal }) => {
          if (!signal.aborted) await once(signal, 'abort');
          end();
          return 'ended';
        },
      });
      return { server: createServer({ name: 'slow', version: '1.0.0', tools: [wait] }), calledOff };
    }

    async function expectUnseen(open: () => Promise<Wire>, transport: 'stdio' | 'http'): Promise<void> {
      const options = { open, revision, patience, call: undefined, trial };
      const examined = await examine(options, transport);
      const id = `${revision}/tools/call-returns-content`;
      expect(examined?.findings.find((one) => one.id === id)?.state).toBe('unseen');
    }

    /** Returns a connection that records every reason that is sent. */
    function noted<Way extends Wire>(wire: Way, sent: unknown[]): Way {
      const send = wire.send.bind(wire);
      return Object.assign(wire, {
        send(message: Sending) {
          sent.push(message.params?.reason);
          return send(message);
        },
      });
    }

    test('is cancelled on standard streams, and is no fault of its server', async () => {
      const { server, calledOff } = slow();
      const sent: unknown[] = [];
      const open = async (): Promise<Wire> =>
        noted(StdioWire.over(await streams(() => serveMemory(server)).open()), sent);
      await expectUnseen(open, 'stdio');
      await calledOff;
      expect(sent).toContain(REASON);
    });

    test('is cancelled over HTTP, and is no fault of its server', async () => {
      const { server, calledOff } = slow();
      const served = await serveHttp(server, { port: 0 });
      onTestFinished(() => served.close());
      const sent: unknown[] = [];
      const url = new URL(served.url);
      await expectUnseen(async () => noted(new HttpWire(url, {}, revision, patience), sent), 'http');
      await calledOff;
      // without a session the end of the request is the cancellation
      const cancellations = sent.filter((reason) => reason === REASON).length;
      expect(cancellations).toBe(revision === '2025-11-25' ? 1 : 0);
    });
  },
);

test('only one process has longer than the default to exit at the end of its input, and is checked for it', async () => {
  const server = createServer({ name: 'plain', version: '1.0.0' });
  const graces: unknown[] = [];
  const open = async (_revision: Revision, endGrace?: number): Promise<Wire> => {
    graces.push(endGrace);
    return StdioWire.over(await streams(() => serveMemory(server)).open());
  };
  await examine({ open, revision: '2025-11-25', patience, call: undefined }, 'stdio');
  expect(graces.filter((grace) => grace !== undefined)).toEqual([5000]);
});
