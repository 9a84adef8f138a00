import { defined, LruMap, unlessAborted, yieldToEventLoop } from '@rootbound/kit/primitives';
import { expect, test } from 'vitest';

test('defined keeps the members that have a value, null and false among them, in their order', () => {
  expect(Object.entries(defined({ z: 0, b: undefined, a: null, c: false, d: '' }))).toEqual([
    ['z', 0],
    ['a', null],
    ['c', false],
    ['d', ''],
  ]);
});

test('a map of two entries drops the one that was not read or written for the longest time', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([...map.keys()]).toEqual(['a', 'c']);
  map.set('a', 4);
  map.set('d', 5);
  expect([...map.values()]).toEqual([4, 5]);
  expect([map.get('c'), map.size]).toEqual([undefined, 2]);
  expect([map.delete('a'), map.delete('a'), [...map.keys()]]).toEqual([true, false, ['d']]);
});

test('a wait ends with the reason of its signal, whether that was aborted before or is meanwhile', async () => {
  const never = new Promise<never>(() => {});
  const before = AbortSignal.abort(new Error('before'));
  await expect(unlessAborted(never, before)).rejects.toThrow('before');
  const controller = new AbortController();
  const waiting = unlessAborted(never, controller.signal);
  controller.abort(new Error('meanwhile'));
  await expect(waiting).rejects.toThrow('meanwhile');
});

test('a wait that is not aborted settles as its promise does', async () => {
  const { signal } = new AbortController();
  await expect(unlessAborted(Promise.resolve('value'), signal)).resolves.toBe('value');
  await expect(unlessAborted(Promise.reject(new Error('its own')), signal)).rejects.toThrow('its own');
});

test('the event loop serves its immediates before a yield returns, and an aborted signal ends the work', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('immediate'));
  await yieldToEventLoop();
  order.push('returned');
  expect(order).toEqual(['immediate', 'returned']);
  expect(() => yieldToEventLoop(AbortSignal.abort(new Error('over')))).toThrow('over');
});
