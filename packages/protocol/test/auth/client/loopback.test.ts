import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { loopbackRedirect, oauth } from '../../../src/auth.ts';
import { request } from './request.ts';
import { scene } from './scene.ts';

interface Page {
  readonly status: number | undefined;
  readonly text: string;
}

function visit(
  url: string,
  { method = 'GET', host }: { method?: string; host?: string } = {},
): Promise<Page> {
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject).end();
  });
}

/** Requests a consent page, and returns the URL of its redirect. */
async function consent(url: URL): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  await response.body?.cancel();
  return String(response.headers.get('location'));
}

test('the user gets a URL, is redirected to 127.0.0.1, and sees that it worked', async () => {
  const pages: Promise<Page>[] = [];
  const { issuer, server, options } = await scene();
  const show = async (url: URL): Promise<void> => {
    pages.push(visit(await consent(url)));
  };
  expect(
    (await request(oauth({ ...options, redirect: loopbackRedirect({ show }) }), server.url)).status,
  ).toBe(200);
  expect(await pages[0]).toEqual({
    status: 200,
    text: 'Sign-in response received. This window can be closed.\n',
  });
  expect(issuer.registered[0]).toMatchObject({
    redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)],
    application_type: 'native',
  });
});

test('other requests to the port neither end nor complete a flow', async () => {
  const statuses: unknown[] = [];
  const { server, options } = await scene();
  const show = async (url: URL): Promise<void> => {
    const back = await consent(url);
    const { origin, host } = new URL(back);
    const state = String(url.searchParams.get('state'));
    for (const [path, how] of [
      ['/callback?state=guessed&code=x', {}],
      ['/callback?code=x', {}],
      ['/callback', {}],
      ['/other?state=mine', {}],
      [`/callback?state=${state}&code=x`, { method: 'POST' }],
      [`/callback?state=${state}&code=x`, { host: 'rebound.example' }],
      [`/callback?state=${state}&code=x`, { host: `localhost:${host.split(':')[1]}` }],
      ['//evil.example/callback', {}],
    ] as const) {
      statuses.push((await visit(`${origin}${path}`, how)).status);
    }
    await visit(back);
  };
  const auth = oauth({ ...options, redirect: loopbackRedirect({ show }) });
  expect((await request(auth, server.url)).status).toBe(200);
  expect(statuses).toEqual([400, 400, 400, 404, 405, 404, 404, 404]);
});

test('nothing listens before and after a flow', async () => {
  const { server, options } = await scene();
  let address = '';
  const show = async (url: URL): Promise<void> => {
    const back = await consent(url);
    address = new URL(back).origin;
    void visit(back);
  };
  await request(oauth({ ...options, redirect: loopbackRedirect({ show }) }), server.url);
  await expect(visit(address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('the page has no scripts, and the browser neither caches it nor sends a referrer', async () => {
  const { server, options } = await scene();
  const seen: Record<string, string | null>[] = [];
  const show = async (url: URL): Promise<void> => {
    const response = await fetch(await consent(url));
    const names = ['content-type', 'cache-control', 'referrer-policy', 'x-content-type-options'];
    seen.push(Object.fromEntries(names.map((name) => [name, response.headers.get(name)])));
  };
  await request(oauth({ ...options, redirect: loopbackRedirect({ show }) }), server.url);
  expect(seen).toEqual([
    {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  ]);
});

test('a port in use ends the flow with an error', async () => {
  const { server, options } = await scene();
  const port = Number(new URL(server.url).port);
  const auth = oauth({ ...options, redirect: loopbackRedirect({ show: () => {}, port }) });
  await expect(request(auth, server.url)).rejects.toThrow(`port ${port} of 127.0.0.1 is not free`);
});

test('a URL that cannot be displayed ends the flow', async () => {
  const { server, options } = await scene();
  const show = async (): Promise<void> => {
    throw new Error('no screen');
  };
  const auth = oauth({ ...options, redirect: loopbackRedirect({ show }) });
  await expect(request(auth, server.url)).rejects.toThrow('no screen');
});

test.each(['callback', '/a b', '/a?b', '/ä'])('the path %s is rejected at once', (path) => {
  expect(() => loopbackRedirect({ show: () => {}, path })).toThrow('path must begin with a slash');
});
