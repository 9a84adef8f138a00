import { expect } from 'vitest';
import { handshake } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { over, shakeHands } from './world.ts';

over(
  handshake,
  'a ping is answered with an empty result, before longer requests',
  async ({ open, proves }) => {
    const stage = new Stage();
    const talk = await open(fixture(stage));
    const held = talk.start('tools/call', { name: 'hold', arguments: {} });
    const pong = await talk.ask('{"jsonrpc":"2.0","id":"123","method":"ping"}');
    proves('2024-11-05/ping/answered-promptly-with-empty-result', () =>
      expect(pong).toEqual({ jsonrpc: '2.0', id: '123', result: {} }),
    );
    proves('2024-11-05/ping/ping-has-no-params', () => expect(pong.result).toEqual({}));
    proves('2024-11-05/ping/either-side-can-ping', () => expect(pong.id).toBe('123'));
    stage.release();
    await talk.answer(held);
  },
);

over(handshake, 'a ping is answered before the handshake is over', async ({ raw, proves }) => {
  const talk = raw();
  const before = await talk.ask('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await shakeHands(talk);
  const between = await talk.ask('{"jsonrpc":"2.0","id":2,"method":"ping","params":{}}');
  proves('2024-11-05/ping/ping-allowed-before-initialization-completes', () =>
    expect([before.result, between.result]).toEqual([{}, {}]),
  );
});
