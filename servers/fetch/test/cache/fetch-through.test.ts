import { Buffer } from 'node:buffer';
import { describe, expect, test, vi } from 'vitest';
import type { CacheRequest } from '../../src/cache/stored-response.ts';
import { WebError } from '../../src/failure.ts';
import { date, Origin } from './origin.ts';

const fresh = { 'cache-control': 'max-age=100' };
const failing = (code: WebError['code']) => new WebError('it failed', { code });

describe('a stored response', () => {
  test('is told with its age, for how long it is fresh, and where it came from', async () => {
    const origin = new Origin().will({ headers: { ...fresh, age: '10' } });
    expect(await origin.fetch()).toMatchObject({
      from: 'network',
      ageSeconds: 10,
      freshSeconds: 90,
      wireBytes: 4,
    });
    origin.later(30);
    expect(await origin.fetch()).toMatchObject({
      from: 'cache',
      ageSeconds: 40,
      freshSeconds: 60,
      stale: false,
      wireBytes: 0,
      elapsedMs: 0,
      status: 200,
      finalUrl: 'https://example.com/page',
      fetchedAt: origin.now - 30_000,
    });
    expect(origin.visits).toBe(1);
  });

  test('is shared by URLs that differ only in their fragments', async () => {
    const origin = new Origin().will({ headers: fresh });
    await origin.fetch({ url: new URL('https://example.com/page#a') });
    expect(await origin.read({ url: new URL('https://example.com/page#b') })).toBe('body from cache');
    expect(await origin.read({ url: new URL('https://example.com/page?b') })).toBe('body from network');
  });

  test.each<[string, Partial<CacheRequest>]>([
    ['another owner', { owner: 'bob' }],
    ['another configuration, as of secrets', { configuration: 'c2' }],
    ['another policy for redirects, where there were some', { redirects: 'report' }],
  ])('is not returned to %s', async (_name, other) => {
    const redirects = [{ url: 'https://example.com/page', status: 301 }];
    const origin = new Origin().will({ headers: fresh, redirects });
    await origin.fetch();
    expect(await origin.read(other)).toBe('body from network');
    expect(await origin.read()).toBe('body from cache');
  });

  test('for a user is not returned to a program, which robots.txt may refuse; one for a program is returned to a user', async () => {
    const origin = new Origin().will({ headers: fresh });
    await origin.fetch({ identity: 'user' });
    expect(await origin.read({ identity: 'autonomous' })).toBe('body from network');
    const other = new Origin().will({ headers: fresh });
    await other.fetch({ identity: 'autonomous' });
    expect(await other.read({ identity: 'user' })).toBe('body from cache');
  });

  test('is selected by the fields that Vary names, and several are stored side by side', async () => {
    const origin = new Origin().will(
      { headers: { ...fresh, vary: 'Accept' }, body: 'html' },
      { headers: { ...fresh, vary: 'accept' }, body: 'markdown' },
    );
    const html = { headers: { accept: 'text/html', 'x-other': '1' } };
    const markdown = { headers: { accept: 'text/markdown,  text/html' } };
    await origin.fetch(html);
    expect(await origin.read(markdown)).toBe('markdown from network');
    expect(await origin.read({ headers: { accept: 'text/html' } })).toBe('html from cache');
    expect(await origin.read({ headers: { accept: 'text/markdown, text/html' } })).toBe(
      'markdown from cache',
    );
    expect(origin.visits).toBe(2);
  });

  test('may be refused by the caller, for instance after a change of allowed domains', async () => {
    const origin = new Origin().will({ headers: fresh });
    await origin.fetch();
    const admits = vi.fn(() => false);
    expect(await origin.read({}, { admits })).toBe('body from network');
    expect(admits).toHaveBeenCalledWith(expect.objectContaining({ finalUrl: 'https://example.com/page' }));
    await expect(origin.fetch({}, { admits, cacheOnly: true })).rejects.toMatchObject({ code: 'not-cached' });
  });

  test('is never partial or cut', async () => {
    const origin = new Origin().will({ headers: fresh, cut: failing('connection-cut') }, { headers: fresh });
    await expect(origin.fetch()).rejects.toMatchObject({ code: 'connection-cut' });
    expect(await origin.read()).toBe('body from network');
  });

  test.each([{ range: 'bytes=0-1' }, { authorization: 'Bearer x' }, { 'if-none-match': '"a"' }])(
    'is not used for a request with %o',
    async (headers) => {
      const origin = new Origin().will({ headers: fresh });
      await origin.fetch();
      expect(await origin.read({ headers })).toBe('body from network');
      expect(await origin.read()).toBe('body from cache');
    },
  );

  test('has no header fields of the connection', async () => {
    const origin = new Origin().will({
      headers: { ...fresh, connection: 'x-hop', 'x-hop': '1', 'x-end': '2' },
    });
    await origin.fetch();
    const { headers } = await origin.fetch();
    expect(headers).toEqual({ ...fresh, date: date(0), 'x-end': '2' });
  });
});

describe('redirects', () => {
  const moved = (status: number) => ({
    headers: { ...fresh, etag: '"1"' },
    finalUrl: 'https://example.com/new',
    redirects: [{ url: 'https://example.com/page', status }],
  });

  test('that are permanent are stored with their target', async () => {
    const origin = new Origin().will(moved(301));
    await origin.fetch();
    expect(await origin.fetch()).toMatchObject({ from: 'cache', finalUrl: 'https://example.com/new' });
  });

  test('that are temporary are requested again, and a 304 from the same URL confirms the stored response', async () => {
    const origin = new Origin().will(moved(302), { ...moved(302), status: 304, body: '' });
    await origin.fetch();
    expect(await origin.read()).toBe('body from revalidated');
    expect(origin.seen[1]!.conditions).toEqual({ 'if-none-match': '"1"' });
  });

  test('that lead to another URL now are not confirmed by a 304 from there', async () => {
    const elsewhere = { ...moved(302), status: 304, finalUrl: 'https://example.com/other', body: '' };
    const origin = new Origin().will(moved(302), elsewhere, { ...elsewhere, status: 200, body: 'other' });
    await origin.fetch();
    expect(await origin.read()).toBe('other from network');
    expect([origin.seen[2]!.conditions, origin.discarded]).toEqual([{}, 1]);
  });
});

describe('the age limits of the caller', () => {
  const kept = async (headers: Record<string, string> = fresh) => {
    const origin = new Origin().will({ headers });
    await origin.fetch();
    return origin.later(50);
  };

  test('maxAge: nothing older is returned, and 0 revalidates with the origin', async () => {
    const origin = await kept();
    expect(await origin.read({}, { maxAge: 60 })).toBe('body from cache');
    expect(await origin.read({}, { maxAge: 40 })).toBe('body from network');
    expect(await origin.read({}, { maxAge: 0 })).toBe('body from network');
  });

  test('maxStale: a stale response is returned if the origin allows it', async () => {
    const origin = await kept({ 'cache-control': 'max-age=20' });
    expect(await origin.fetch({}, { maxStale: 40 })).toMatchObject({
      from: 'cache',
      stale: true,
      freshSeconds: 0,
    });
    expect(await origin.read({}, { maxStale: 20 })).toBe('body from network');
    for (const forbidden of ['max-age=20, must-revalidate', 'max-age=20, no-cache'])
      expect(await (await kept({ 'cache-control': forbidden })).read({}, { maxStale: 40 })).toBe(
        'body from network',
      );
  });

  test('cacheOnly: returns a stored response, stale ones too, or fails without a visit', async () => {
    const origin = await kept({ 'cache-control': 'max-age=20' });
    expect(await origin.fetch({}, { cacheOnly: true })).toMatchObject({ from: 'cache', stale: true });
    const missing = origin.fetch({ owner: 'bob' }, { cacheOnly: true });
    await expect(missing).rejects.toMatchObject({ code: 'not-cached' });
    await expect(origin.fetch({}, { cacheOnly: true, maxAge: 10 })).rejects.toMatchObject({
      code: 'not-cached',
    });
    await expect(origin.fetch({ method: 'POST' }, { cacheOnly: true })).rejects.toMatchObject({
      code: 'not-cached',
    });
    expect(origin.visits).toBe(1);
  });
});

describe('revalidation', () => {
  const headers = { 'cache-control': 'max-age=10', etag: '"1"', 'last-modified': date(-500), 'x-a': '1' };

  test('asks by both validators, and a 304 makes what is kept fresh with the newer fields', async () => {
    const origin = new Origin().will(
      { headers: { ...headers, age: '5', 'content-type': 'text/html' } },
      {
        status: 304,
        headers: { etag: 'W/"1"', 'cache-control': 'max-age=20', 'x-b': '2', 'content-type': 'a/b' },
      },
    );
    await origin.fetch();
    origin.later(50);
    const again = await origin.fetch();
    expect(origin.seen[1]!.conditions).toEqual({ 'if-none-match': '"1"', 'if-modified-since': date(-500) });
    expect(again).toMatchObject({ from: 'revalidated', status: 200, ageSeconds: 0, freshSeconds: 20 });
    expect(again.headers).toMatchObject({ 'x-a': '1', 'x-b': '2', 'content-type': 'text/html' });
    expect([Buffer.from(again.body).toString(), origin.discarded]).toEqual(['body', 1]);
    expect(await origin.later(15).read()).toBe('body from cache');
  });

  test('a 304 for another response is ignored: the page is requested without conditions', async () => {
    const origin = new Origin().will({ headers }, { status: 304, headers: { etag: '"2"' } }, { body: 'new' });
    await origin.fetch();
    expect(await origin.later(50).read()).toBe('new from network');
    expect(origin.seen[2]!.conditions).toEqual({});
  });

  test('a new response replaces the stored one, even if it may not be stored itself', async () => {
    const origin = new Origin().will({ headers }, { headers: { 'cache-control': 'no-store' }, body: 'new' });
    await origin.fetch();
    origin.later(50);
    expect(await origin.read()).toBe('new from network');
    await expect(origin.fetch({}, { cacheOnly: true })).rejects.toMatchObject({ code: 'not-cached' });
  });
});

describe('after an error of the origin', () => {
  const kept = async (control: string) => {
    const origin = new Origin().will({ headers: { 'cache-control': control } });
    await origin.fetch();
    return origin.later(50);
  };

  test('stale-if-error allows the stored response for its number of seconds', async () => {
    const origin = await kept('max-age=10, stale-if-error=60');
    origin.will({ error: failing('connect-failed') });
    expect(await origin.fetch()).toMatchObject({ from: 'cache', stale: true, ageSeconds: 50 });
    origin.will({ status: 503, body: 'busy' });
    expect(await origin.fetch()).toMatchObject({ from: 'cache', status: 200 });
    expect(origin.discarded).toBe(1);
    origin.later(50);
    expect(await origin.fetch()).toMatchObject({ from: 'network', status: 503 });
  });

  test('the caller may allow a stale response, but not against must-revalidate', async () => {
    const origin = (await kept('max-age=10')).will({ error: failing('timeout') });
    await expect(origin.fetch()).rejects.toMatchObject({ code: 'timeout' });
    expect(await origin.fetch({}, { staleIfError: 60 })).toMatchObject({ from: 'cache' });
    const strict = (await kept('max-age=10, must-revalidate')).will({ error: failing('timeout') });
    await expect(strict.fetch({}, { staleIfError: 60 })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('a refusal is not an error of the origin, and fails', async () => {
    const origin = (await kept('max-age=10, stale-if-error=60')).will({ error: failing('robots-refused') });
    await expect(origin.fetch()).rejects.toMatchObject({ code: 'robots-refused' });
  });
});

describe('unsafe methods', () => {
  const url = (path: string) => ({ url: new URL(`https://example.com/${path}`) });

  test('invalidate their URL and the URLs in Location fields', async () => {
    const origin = new Origin().will({ headers: fresh });
    for (const path of ['page', 'a', 'b', 'c']) await origin.fetch(url(path));
    await origin.fetch({ url: new URL('https://other.example/a') });
    const locations = { location: '/a', 'content-location': 'https://example.com/b' };
    origin.will({ status: 201, headers: locations }, { headers: fresh });
    expect(await origin.read({ ...url('page'), method: 'POST' })).toBe('body from network');
    for (const path of ['page', 'a', 'b']) expect(await origin.read(url(path))).toBe('body from network');
    expect(await origin.read(url('c'))).toBe('body from cache');
    expect(await origin.read({ url: new URL('https://other.example/a') })).toBe('body from cache');
  });

  test('invalidate nothing if they fail, and no URLs of other origins', async () => {
    const origin = new Origin().will({ headers: fresh });
    await origin.fetch();
    origin.will({ status: 500 });
    await origin.fetch({ method: 'PUT' });
    origin.will({ headers: { location: 'https://example.com/page' } });
    await origin.fetch({ url: new URL('https://other.example/'), method: 'POST' });
    expect(await origin.read()).toBe('body from cache');
  });

  test('prevent that a pending response is stored', async () => {
    const origin = new Origin().will({ headers: fresh, body: 'old' });
    const gate = withResolvers();
    origin.gate = gate.promise;
    const reading = origin.read();
    await vi.waitFor(() => expect(origin.visits).toBe(1), { timeout: 120_000 });
    origin.gate = undefined;
    await origin.fetch({ method: 'DELETE' });
    gate.resolve();
    expect(await reading).toBe('old from network');
    expect(await origin.read()).toBe('old from network');
  });

  test('are never shared', async () => {
    const origin = new Origin().will({});
    await Promise.all([origin.fetch({ method: 'POST' }), origin.fetch({ method: 'POST' })]);
    expect(origin.visits).toBe(2);
  });
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('concurrent equal requests', () => {
  const gated = () => {
    const origin = new Origin().will({ headers: { 'cache-control': 'no-store' } });
    const gate = withResolvers();
    origin.gate = gate.promise;
    return { origin, open: gate.resolve };
  };

  test('share one visit, and each receives its progress', async () => {
    const { origin, open } = gated();
    const heard: string[] = [];
    const readings = ['a', 'b', 'c'].map((name) =>
      origin.read({}, { progress: (bytes, total) => heard.push(`${name} ${bytes}/${total}`) }),
    );
    await vi.waitFor(() => expect(origin.visits).toBe(1), { timeout: 120_000 });
    open();
    expect(await Promise.all(readings)).toEqual(Array(3).fill('body from network'));
    expect(origin.visits).toBe(1);
    expect(heard).toEqual(['a 2/4', 'b 2/4', 'c 2/4', 'a 4/4', 'b 4/4', 'c 4/4']);
    await origin.fetch();
    expect(origin.visits).toBe(2);
  });

  test.each<[string, Partial<CacheRequest>]>([
    ['of two owners', { owner: 'bob' }],
    ['under two configurations', { configuration: 'c2' }],
    ['with different fields', { headers: { accept: 'text/markdown' } }],
    ['for a person and a robot', { identity: 'user' }],
    ['with different policies for redirects', { redirects: 'report' }],
  ])('but not %s', async (_name, other) => {
    const { origin, open } = gated();
    const readings = [origin.fetch(), origin.fetch(other)];
    await vi.waitFor(() => expect(origin.visits).toBe(2), { timeout: 120_000 });
    open();
    await Promise.all(readings);
  });

  test('continue for the others when one is cancelled', async () => {
    const { origin, open } = gated();
    const leaving = new AbortController();
    const left = origin.fetch({}, { signal: leaving.signal });
    const stayed = origin.read();
    await vi.waitFor(() => expect(origin.visits).toBe(1), { timeout: 120_000 });
    leaving.abort(new Error('no longer wanted'));
    await expect(left).rejects.toThrow('no longer wanted');
    expect(origin.seen[0]!.signal.aborted).toBe(false);
    open();
    expect(await stayed).toBe('body from network');
  });

  test('the last one that is cancelled ends the visit, and the next request begins another', async () => {
    const { origin, open } = gated();
    const leaving = [new AbortController(), new AbortController()];
    const left = leaving.map(({ signal }) => origin.fetch({}, { signal }).catch((error: unknown) => error));
    await vi.waitFor(() => expect(origin.visits).toBe(1), { timeout: 120_000 });
    for (const one of leaving) one.abort(new Error('no longer wanted'));
    expect(await Promise.all(left)).toEqual([leaving[0]!.signal.reason, leaving[1]!.signal.reason]);
    expect(origin.seen[0]!.signal.aborted).toBe(true);
    const next = origin.read();
    await vi.waitFor(() => expect(origin.visits).toBe(2), { timeout: 120_000 });
    open();
    expect(await next).toBe('body from network');
    expect(origin.cache.pending.count).toBe(0);
  });

  test('all fail with the failure of their visit, and the next request starts another', async () => {
    const origin = new Origin().will({ error: failing('timeout') });
    const readings = await Promise.allSettled([origin.fetch(), origin.fetch()]);
    expect(readings.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(origin.visits).toBe(1);
    await expect(origin.fetch()).rejects.toMatchObject({ code: 'timeout' });
    expect(origin.visits).toBe(2);
  });

  test('are not started by a request that was cancelled before', async () => {
    const origin = new Origin().will({});
    await expect(origin.fetch({}, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    expect(origin.visits).toBe(0);
  });
});
