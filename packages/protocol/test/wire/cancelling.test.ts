import { expect, test } from 'vitest';
import { everywhere } from './matrix.ts';

const cancel = (id: unknown): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: id, reason: 'a test' },
  });

everywhere(({ open, call }) => {
  test('a request that is cancelled in progress gets no response', async () => {
    const talk = await open();
    talk.say(call(1, 'hold'));
    talk.say(cancel(1));
    talk.say(call(2, 'release'));
    await talk.answer(2);
    await talk.ask(call(3, 'later', { text: 'fence' }));
    expect(talk.heard.filter((message) => message.id === 1)).toEqual([]);
  });

  test('a cancelled id is free again', async () => {
    const talk = await open();
    talk.say(call(1, 'hold'));
    talk.say(cancel(1));
    expect((await talk.ask(call(1, 'echo', { text: 'again' }))).result.content[0].text).toBe('again');
  });

  test('late, unknown and malformed cancellations are ignored', async () => {
    const talk = await open();
    await talk.ask(call(1, 'echo', { text: 'done' }));
    for (const id of [1, 99, 'x', null, 1.5, {}]) talk.say(cancel(id));
    talk.say('{"jsonrpc":"2.0","method":"notifications/cancelled"}');
    talk.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}');
    expect((await talk.ask(call(2, 'echo', { text: 'fence' }))).id).toBe(2);
  });

  test('cancelling one request does not affect the others', async () => {
    const talk = await open();
    talk.say(call(1, 'hold', { text: 'one' }));
    talk.say(call('1', 'hold', { text: 'other type' }));
    talk.say(cancel(1));
    talk.say(call(3, 'release'));
    expect((await talk.answer('1')).result.content[0].text).toBe('other type');
  });

  test('a session whose last request was cancelled ends when the client closes its side', async () => {
    const talk = await open();
    talk.say(call(1, 'hold'));
    talk.say(cancel(1));
    const heard = await talk.finish();
    expect(heard.filter((message) => message.id === 1)).toEqual([]);
  });

  test('requests over the limit are queued, and can be cancelled while they are', async () => {
    const talk = await open();
    const count = 300;
    const room = 256;
    for (let id = 0; id < room; id++) talk.say(call(id, 'hold'));
    for (let id = room; id < count; id++) talk.say(call(id, 'echo', { text: `n${id}` }));
    talk.say(cancel(count - 1));
    for (let id = 0; id < room; id++) talk.say(cancel(id));
    talk.say(call('fence', 'later', { text: 'x' }));
    await talk.answer('fence');
    await talk.ask(call('end', 'later', { text: 'x' }));
    const ids = talk.heard.map((message) => message.id).filter((id) => typeof id === 'number');
    expect(ids.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: count - 1 - room }, (_, id) => id + room),
    );
  });
});
