import { isAllowed, plainUrl } from '../urls.ts';
import { needsLookup } from './allowed-url.ts';
import { AuthorizationError } from './error.ts';
import { deadlineOf, type HttpReply, type HttpRequest, type Net } from './net.ts';
import { sendOverFetch } from './over-fetch.ts';

type Sent = Omit<HttpRequest, 'url' | 'signal'>;

export interface Answer {
  readonly status: number;
  /** the body as JSON; undefined if it is not JSON */
  readonly body: unknown;
  header(name: string): string | undefined;
}

const BODY_LIMIT = 256 * 1024;
const MOST_REDIRECTS = 3;

/** Returns a public document; follows redirects to targets that `server` may name. */
export async function getJson(
  net: Net,
  url: URL,
  server: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  let at = url;
  for (let hop = 0; ; hop += 1) {
    const response = await send(net, at, server, {
      method: 'GET',
      headers: { Accept: 'application/json', ...headers },
    });
    const next = redirectOf(response, at);
    if (next === undefined) return readAnswer(response, at);
    await discard(response);
    if (hop === MOST_REDIRECTS || !isAllowed(next, server, net.privateHosts)) {
      throw new AuthorizationError(
        'network',
        `${plainUrl(url)} redirects to a URL that the client may not follow`,
      );
    }
    at = next;
  }
}

/**
 * Returns the response to a form or JSON document that may contain secrets. It is sent to this URL only, and
 * redirects are not followed. `server` is the server that named the URL, or undefined if the operator did.
 */
export async function post(
  net: Net,
  url: URL,
  server: URL | undefined,
  body: URLSearchParams | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const form = body instanceof URLSearchParams;
  const response = await send(net, url, server, {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      ...headers,
    },
    body: form ? body.toString() : JSON.stringify(body),
  });
  if (redirectOf(response, url) !== undefined) {
    await discard(response);
    throw new AuthorizationError('network', `${plainUrl(url)} redirects a request that contains secrets`);
  }
  return readAnswer(response, url);
}

async function send(net: Net, url: URL, server: URL | undefined, sent: Sent): Promise<HttpReply> {
  const request = { ...sent, url, signal: deadlineOf(net) };
  try {
    return await (net.fetch === undefined
      ? sendToChecked(net, request, server)
      : sendWithFetch(net, net.fetch, request, server));
  } catch (error) {
    throw noAnswer(error, url, net);
  }
}

/** Sends a request to one of the checked addresses, if `server` named its host. */
async function sendToChecked(net: Net, request: HttpRequest, server: URL | undefined): Promise<HttpReply> {
  const { url, signal } = request;
  const { pinned, sendOverNode } = await import('./over-node.ts');
  if (server === undefined || !needsLookup(net, url, server)) return sendOverNode(request, net.lookup);
  const { resolveNamedHost: resolveNamed } = await import('./named-host.ts');
  return sendOverNode(request, pinned(await resolveNamed(net, url, server, signal)));
}

/** Sends a request with the caller's fetch, whose connection cannot be checked; its host is checked before. */
async function sendWithFetch(
  net: Net,
  own: typeof fetch,
  request: HttpRequest,
  server: URL | undefined,
): Promise<HttpReply> {
  if (server !== undefined && needsLookup(net, request.url, server)) {
    const { checkNamedHost: judgeNamed } = await import('./named-host.ts');
    await judgeNamed(net, request.url, server);
  }
  return sendOverFetch(own, request);
}

async function readAnswer(response: HttpReply, url: URL): Promise<Answer> {
  const text = await readText(response, url);
  return {
    status: response.status,
    body: parseJson(text),
    header: (name) => response.header(name),
  };
}

async function readText({ chunks: body }: HttpReply, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // leaving the loop cancels the rest of the body
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > BODY_LIMIT) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw noAnswer(error, url, undefined);
  }
  if (size > BODY_LIMIT) {
    throw new AuthorizationError(
      'network',
      `the response of ${plainUrl(url)} is larger than ${BODY_LIMIT} bytes`,
    );
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // the caller handles a body that is not JSON
    return undefined;
  }
}

function redirectOf(response: HttpReply, from: URL): URL | undefined {
  if (response.status < 300 || response.status > 399) return undefined;
  const location = response.header('location');
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

async function discard(response: HttpReply): Promise<void> {
  try {
    await response.cancel();
  } catch {
    // the body is discarded anyway
  }
}

function noAnswer(error: unknown, url: URL, net: Net | undefined): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  const late = error instanceof Error && error.name === 'TimeoutError';
  const text = late ? `no response in time from ${plainUrl(url)}` : `no response from ${plainUrl(url)}`;
  if (net?.signal?.aborted === true)
    return new AuthorizationError('timeout', `the authorization was cancelled`);
  return new AuthorizationError(late ? 'timeout' : 'network', text, { cause: error });
}
