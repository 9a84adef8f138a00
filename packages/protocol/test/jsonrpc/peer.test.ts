import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionError, RpcError } from '../../src/jsonrpc/errors.ts';
import type { JsonText, Request } from '../../src/jsonrpc/message.ts';
import { Peer, type PeerOptions, type ProgressUpdate, type Serving } from '../../src/jsonrpc/peer.ts';
import type { Message } from '../wire/message.ts';

interface Side {
  peer: Peer;
  /** the written messages, parsed */
  written: Message[];
  /** requests in progress, with functions to end them */
  served: { request: Request; serving: Serving; answer(text: JsonText): void; fail(error: unknown): void }[];
  faults: unknown[];
}

/** Returns a peer that writes to a list and serves with responses of the test. */
function side(options: Partial<PeerOptions> = {}): Side {
  const own: Side = { written: [], served: [], faults: [] } as unknown as Side; // the peer follows
  own.peer = new Peer({
    write: (text) => own.written.push(JSON.parse(typeof text === 'string' ? text : text.join(''))),
    serve: (request, serving) =>
      new Promise((answer, fail) => {
        own.served.push({ request, serving, answer, fail });
      }),
    notified: () => {},
    cancelled: (id, reason) => own.written.push({ cancelled: id, reason }),
    onError: (error) => own.faults.push(error),
    ...options,
  });
  return own;
}

const request = (id: string | number, method = 'm'): Request => ({ jsonrpc: '2.0', id, method });
const success = (id: string | number, result: object = {}) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { ...result },
});
const settled = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => error);
/** Waits for one turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('requests', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('responses reach their requests in any order', async () => {
    const { peer, written } = side();
    const asked = ['a', 'b', 'c'].map((method) => peer.request(method));
    for (const { id, method } of written.toReversed()) peer.settle(success(id, { method }));
    expect(await Promise.all(asked)).toEqual([{ method: 'a' }, { method: 'b' }, { method: 'c' }]);
  });

  test('an error is an RpcError with its code and data', async () => {
    const { peer, written } = side();
    const asked = settled(peer.request('a'));
    peer.settle({ jsonrpc: '2.0', id: written[0].id, error: { code: -5, message: 'no', data: { x: 1 } } });
    const error = await asked;
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -5, message: 'no', data: { x: 1 } });
  });

  test('responses to no request are dropped: unknown, of another type, without an id, and second ones', async () => {
    const { peer, written } = side();
    const asked = peer.request('a');
    const [{ id }] = written as [Message];
    peer.settle(success(99));
    peer.settle(success(String(id)));
    peer.settle({ jsonrpc: '2.0', id: null, error: { code: -1, message: 'x' } });
    peer.settle({ jsonrpc: '2.0', error: { code: -1, message: 'x' } });
    peer.settle(success(id, { first: true }));
    peer.settle(success(id, { first: false }));
    expect(await asked).toEqual({ first: true });
  });

  test('a request without a response in time fails and is cancelled, and a late response is dropped', async () => {
    const { peer, written } = side();
    const asked = settled(peer.request('a', {}, { timeout: 100 }));
    vi.advanceTimersByTime(99);
    expect(written.length).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await asked).toMatchObject({
      name: 'ConnectionError',
      reason: 'timeout',
      message: 'a had no response within 100 ms',
    });
    expect(written[1]).toEqual({ cancelled: written[0].id, reason: 'a had no response within 100 ms' });
    peer.settle(success(written[0].id));
    expect(vi.getTimerCount()).toBe(0);
  });

  test('progress restarts the timeout, but not the maximum timeout', async () => {
    const { peer, written } = side();
    const asked = settled(peer.request('a', {}, { timeout: 100, maxTimeout: 250 }));
    const { id } = written[0];
    for (let i = 1; i <= 3; i++) {
      vi.advanceTimersByTime(80);
      peer.reportProgress(id, { progress: i });
    }
    expect(written.length).toBe(1);
    vi.advanceTimersByTime(10);
    expect(await asked).toMatchObject({ reason: 'timeout', message: 'a had no response within 250 ms' });
    peer.reportProgress(id, { progress: 9 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('without progress a request fails at its timeout, whatever the maximum timeout', async () => {
    const { peer, written } = side();
    const asked = settled(peer.request('a', {}, { timeout: 100, maxTimeout: 1000 }));
    vi.advanceTimersByTime(80);
    peer.reportProgress(written[0].id, { progress: 1 });
    vi.advanceTimersByTime(100);
    expect(await asked).toMatchObject({ message: 'a had no response within 100 ms' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a response in time leaves no timer and no listener', async () => {
    const { peer, written } = side();
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    const asked = peer.request('a', {}, { timeout: 100, maxTimeout: 200, signal });
    peer.settle(success(written[0].id));
    await asked;
    expect([vi.getTimerCount(), remove.mock.calls.length]).toEqual([0, 1]);
  });

  test('a signal cancels the request', async () => {
    const { peer, written } = side();
    const controller = new AbortController();
    const asked = settled(peer.request('a', {}, { signal: controller.signal }));
    controller.abort();
    expect(await asked).toMatchObject({ reason: 'cancelled' });
    expect(written[1]).toEqual({ cancelled: written[0].id, reason: 'a was cancelled' });
    const early = settled(peer.request('b', {}, { signal: controller.signal }));
    expect(await early).toMatchObject({ reason: 'cancelled' });
    expect(written.length).toBe(2);
  });

  test('progress reaches only its own request, while it is open', async () => {
    const withProgress: PeerOptions['withProgress'] = (params, id) => ({ ...params, token: id });
    const { peer, written } = side({ withProgress });
    const heard: ProgressUpdate[] = [];
    const asked = peer.request('a', { x: 1 }, { onProgress: (update) => heard.push(update) });
    const plain = peer.request('b', { x: 1 });
    expect(written.map(({ params }) => params)).toEqual([{ x: 1, token: written[0].id }, { x: 1 }]);
    peer.reportProgress(written[0].id, { progress: 1 });
    peer.reportProgress(written[1].id, { progress: 2 });
    peer.reportProgress('other', { progress: 3 });
    peer.settle(success(written[0].id));
    peer.reportProgress(written[0].id, { progress: 4 });
    peer.settle(success(written[1].id));
    await Promise.all([asked, plain]);
    expect(heard).toEqual([{ progress: 1 }]);
  });

  test('close fails every request, sends none after it, and writes nothing more', async () => {
    const { peer, written } = side();
    const asked = [peer.request('a', {}, { timeout: 100 }), peer.request('b')].map(settled);
    peer.close('gone');
    peer.close('again');
    expect(await Promise.all(asked)).toEqual([
      new ConnectionError('closed', 'gone'),
      new ConnectionError('closed', 'gone'),
    ]);
    expect(await settled(peer.request('c'))).toMatchObject({ reason: 'closed', message: 'gone' });
    peer.notify('n');
    expect([written.length, vi.getTimerCount(), peer.closed]).toEqual([2, 0, true]);
  });
});

describe('serving', () => {
  test('responses are written as they come, with the id as it was received', async () => {
    const { peer, written, served } = side();
    for (const id of [1, '1', 'x"\n', -5]) peer.accept(request(id));
    for (const { request: own, answer } of served.toReversed())
      answer(JSON.stringify({ method: own.method }));
    await turn();
    expect(written.map(({ id }) => id)).toEqual([-5, 'x"\n', '1', 1]);
    expect(written[0]).toEqual(success(-5, { method: 'm' }));
  });

  test('an exception becomes an error response; only an RpcError is sent with its text, only others are reported', async () => {
    const { peer, written, served, faults } = side();
    for (const id of [1, 2]) peer.accept(request(id));
    served[0]?.fail(new RpcError(-7, 'own', { data: 1 }));
    served[1]?.fail(new Error('secret'));
    await turn();
    expect(written.map(({ error }) => error)).toEqual([
      { code: -7, message: 'own', data: 1 },
      { code: -32603, message: 'internal error' },
    ]);
    expect(faults).toEqual([new Error('secret')]);
    const thrower = side({
      serve: () => {
        throw new Error('secret');
      },
    });
    thrower.peer.accept(request(1));
    expect(thrower.written[0].error).toEqual({ code: -32603, message: 'internal error' });
  });

  test('an id in use is refused and the first request continues', async () => {
    const { peer, written, served } = side();
    peer.accept(request(1));
    peer.accept(request(1));
    expect(written).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32600, message: 'id is already in use by a request in progress' },
      },
    ]);
    served[0]?.answer('{}');
    await turn();
    expect(written[1]).toEqual(success(1));
    peer.accept(request(1));
    expect(served.length).toBe(2);
  });

  test('a cancelled request has no response, its signal aborts with the reason, and its id is free', async () => {
    const { peer, written, served } = side();
    peer.accept(request(1));
    const { serving, answer } = served[0]!;
    peer.cancelServing(1, 'no longer wanted');
    expect(serving.signal.aborted).toBe(true);
    expect(serving.signal.reason).toMatchObject({ reason: 'cancelled', message: 'no longer wanted' });
    peer.accept(request(1));
    answer('{"late":true}');
    await turn();
    expect([written, served.length]).toEqual([[], 2]);
    served[1]?.answer('{}');
    await turn();
    expect(written).toEqual([success(1)]);
  });

  test('cancelling an unknown or finished request does nothing', async () => {
    const { peer, written, served } = side();
    peer.cancelServing(9, 'x');
    peer.accept(request(1));
    served[0]?.answer('{}');
    await turn();
    peer.cancelServing(1, 'x');
    expect(written).toEqual([success(1)]);
    expect(served[0]?.serving.cancelled).toBe(false);
  });

  test('close aborts requests in progress and writes no response', async () => {
    const { peer, written, served } = side({ maxServing: 1 });
    for (const id of [1, 2]) peer.accept(request(id));
    const { signal } = served[0]!.serving;
    peer.close('gone');
    expect(signal.reason).toMatchObject({ message: 'gone' });
    served[0]?.answer('{}');
    await turn();
    expect([written, served.length]).toEqual([[], 1]);
  });

  test('requests over the limit are queued and served in order', async () => {
    const { peer, written, served } = side({ maxServing: 2 });
    for (const id of [1, 2, 3, 4, 5]) peer.accept(request(id));
    const begun = (): unknown[] => served.map(({ request: own }) => own.id);
    expect(begun()).toEqual([1, 2]);
    served[1]?.answer('{}');
    await turn();
    expect(begun()).toEqual([1, 2, 3]);
    served[0]?.answer('{}');
    served[2]?.answer('{}');
    await turn();
    expect(begun()).toEqual([1, 2, 3, 4, 5]);
    served[3]?.answer('{}');
    served[4]?.fail(new RpcError(-1, 'no'));
    await turn();
    expect(written.map(({ id }) => id)).toEqual([2, 1, 3, 4, 5]);
  });

  test('a queued request can be cancelled and then never runs', async () => {
    const { peer, written, served } = side({ maxServing: 1 });
    const dropped: unknown[] = [];
    for (const id of [1, 2, 3])
      peer.accept(request(id), { respond: (text) => written.push(text), dropped: () => dropped.push(id) });
    peer.cancelServing(2, 'x');
    expect(dropped).toEqual([2]);
    served[0]?.answer('{}');
    await turn();
    expect(served.map(({ request: own }) => own.id)).toEqual([1, 3]);
  });

  test('cancelling a running request makes room for a queued one', () => {
    const { peer, served } = side({ maxServing: 1 });
    for (const id of [1, 2]) peer.accept(request(id));
    peer.cancelServing(1, 'x');
    expect(served.map(({ request: own }) => own.id)).toEqual([1, 2]);
  });

  test('synchronous responses let queued requests follow without growing the stack', async () => {
    let gate: (text: string) => void = () => {};
    const { peer, written } = side({
      maxServing: 1,
      serve: ({ id }) => (id === 0 ? new Promise<string>((resolve) => (gate = resolve)) : '{}'),
    });
    for (let id = 0; id < 4000; id++) peer.accept(request(id));
    gate('{}');
    await vi.waitUntil(() => written.length >= 4000, { timeout: 120_000 });
    expect(written.length).toBe(4000);
    expect(written.every(({ id }, index) => id === index)).toBe(true);
  });

  test('idle requests do not count as running', async () => {
    const parked: string[] = [];
    const { peer, written } = side({
      maxServing: 1,
      serve: ({ id }, serving) => {
        if (typeof id !== 'string') return Promise.resolve('{}');
        serving.idle = true;
        parked.push(id);
        return new Promise(() => {});
      },
    });
    for (const id of ['a', 'b', 1, 'c']) peer.accept(request(id));
    await turn();
    expect([parked, written.map(({ id }) => id)]).toEqual([['a', 'b', 'c'], [1]]);
    peer.cancelServing('a', 'x');
    peer.accept(request(2));
    peer.accept(request(3));
    await turn();
    expect(written.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test('idle resolves when the last response was written, for all callers', async () => {
    const { peer, written, served } = side({ maxServing: 1 });
    await peer.idle();
    for (const id of [1, 2]) peer.accept(request(id));
    const seen: number[] = [];
    const waiting = [peer.idle(), peer.idle()].map((idle) => idle.then(() => seen.push(written.length)));
    served[0]?.answer('{}');
    await turn();
    expect(seen).toEqual([]);
    served[1]?.answer('{}');
    await turn();
    expect(seen).toEqual([2, 2]);
    await Promise.all(waiting);
  });

  test('idle resolves when requests in progress are cancelled or the connection ends', async () => {
    for (const end of [(peer: Peer) => peer.cancelServing(1, 'x'), (peer: Peer) => peer.close('x')]) {
      const { peer } = side();
      peer.accept(request(1));
      const idle = peer.idle();
      end(peer);
      await idle;
    }
  });

  test('a response whose write fails is reported and makes room', async () => {
    const { peer, served, faults } = side({ maxServing: 1 });
    const respond = (): never => {
      throw new Error('cannot write');
    };
    peer.accept(request(1), { respond });
    peer.accept(request(2));
    const unhandled: unknown[] = [];
    const hear = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', hear);
    served[0]?.answer('{}');
    await turn();
    await turn();
    process.off('unhandledRejection', hear);
    expect([served.length, faults, unhandled]).toEqual([2, [new Error('cannot write')], []]);
  });
});
