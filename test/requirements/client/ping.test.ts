import { expect } from 'vitest';
import { handshake } from '../revisions.ts';
import { everything } from './tour.ts';
import { over } from './world.ts';

over(
  handshake,
  'a ping is answered with an empty result, before longer requests',
  async ({ script, proves }) => {
    const server = script();
    await server.connect({ ...everything(), roots: () => new Promise(() => {}) });
    server.say({ id: 'slow', method: 'roots/list' });
    server.write('{"jsonrpc":"2.0","id":"123","method":"ping"}\n');
    const pong = await server.hears(({ id }) => id === '123');
    proves('2024-11-05/ping/answered-promptly-with-empty-result', () =>
      expect(pong).toEqual({ jsonrpc: '2.0', id: '123', result: {} }),
    );
    proves('2024-11-05/ping/ping-has-no-params', () => expect(pong.result).toEqual({}));
  },
);

over(handshake, 'the client can ping', async ({ script, proves }) => {
  const server = script();
  const client = await server.connect();
  await client.ping();
  proves('2024-11-05/ping/either-side-can-ping', () => expect(server.all('ping')).toHaveLength(1));
});
