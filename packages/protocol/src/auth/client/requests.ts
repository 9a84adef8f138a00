import { isAllowed, plainUrl } from '../urls.ts';
import { AuthorizationError } from './error.ts';

/** How metadata and tokens are asked for. */
export interface Net {
  readonly fetch: typeof fetch;
  /** milliseconds for one request */
  readonly timeout: number;
  /** ends every request */
  readonly signal: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  /** the body as JSON; undefined when it is none */
  readonly body: unknown;
  header(name: string): string | undefined;
}

const BODY_LIMIT = 256 * 1024;
const MOST_REDIRECTS = 3;

/** A public document; redirects are followed as long as `server` may name their targets. */
export async function getJson(
  net: Net,
  url: URL,
  server: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  let at = url;
  for (let hop = 0; ; hop += 1) {
    const response = await send(net, at, {
      method: 'GET',
      headers: { Accept: 'application/json', ...headers },
    });
    const next = redirectOf(response, at);
    if (next === undefined) return readAnswer(response, at);
    await discard(response);
    if (hop === MOST_REDIRECTS || !isAllowed(next, server)) {
      throw new AuthorizationError('network', `${plainUrl(url)} redirects where the client may not follow`);
    }
    at = next;
  }
}

/** The answer to a form or a JSON document that may hold secrets; it goes to this one URL and is not redirected. */
export async function post(
  net: Net,
  url: URL,
  body: URLSearchParams | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const form = body instanceof URLSearchParams;
  const response = await send(net, url, {
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
    throw new AuthorizationError('network', `${plainUrl(url)} redirects a request that holds secrets`);
  }
  return readAnswer(response, url);
}

async function send(net: Net, url: URL, init: RequestInit): Promise<Response> {
  const time = AbortSignal.timeout(net.timeout);
  const signal = net.signal === undefined ? time : AbortSignal.any([time, net.signal]);
  try {
    // the global fetch wants no receiver
    const { fetch } = net;
    return await fetch(url, { ...init, redirect: 'manual', signal });
  } catch (error) {
    throw noAnswer(error, url, net);
  }
}

async function readAnswer(response: Response, url: URL): Promise<Answer> {
  const text = await readText(response, url);
  return {
    status: response.status,
    body: parseJson(text),
    header: (name) => response.headers.get(name) ?? undefined,
  };
}

async function readText(response: Response, url: URL): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // leaving the loop cancels the rest of the body
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > BODY_LIMIT) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw noAnswer(error, url, undefined);
  }
  if (size > BODY_LIMIT) {
    throw new AuthorizationError('network', `the answer of ${plainUrl(url)} is over ${BODY_LIMIT} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // what is no JSON is said by the answer
    return undefined;
  }
}

function redirectOf(response: Response, from: URL): URL | undefined {
  if (response.status < 300 || response.status > 399) return undefined;
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

async function discard(response: Response): Promise<void> {
  try {
    await response.body?.cancel();
  } catch {
    // a body that failed is as good as one thrown away
  }
}

function noAnswer(error: unknown, url: URL, net: Net | undefined): AuthorizationError {
  const late = error instanceof Error && error.name === 'TimeoutError';
  const text = late ? `no answer in time from ${plainUrl(url)}` : `no answer from ${plainUrl(url)}`;
  if (net?.signal?.aborted === true) return new AuthorizationError('timeout', `the authorization was ended`);
  return new AuthorizationError(late ? 'timeout' : 'network', text, { cause: error });
}
