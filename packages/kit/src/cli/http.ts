import type { AuthChoice, HttpChoice } from './options.ts';
import { Problem, quote } from './problem.ts';
import type { Value } from './values.ts';

type Values = ReadonlyMap<string, Value>;

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_IDLE_MINUTES = 30;
const DEFAULT_CAP = 1000;
const MOST_PORT = 65_535;
/** The options that have no effect without `--http`. */
const ONLY_WITH_HTTP = [
  'sse',
  'ws',
  'allow-origin',
  'allow-host',
  'auth-issuer',
  'auth-audience',
  'auth-jwks',
  'auth-scopes',
  'no-auth',
  'session-idle',
  'session-cap',
] as const;

/** Returns the HTTP options, or undefined without `--http`; throws a Problem for options that contradict each other. */
export function readHttp(values: Values): HttpChoice | undefined {
  // readValue gave each value the type of its row
  const value = <T>(name: string, fallback: T): T => (values.get(name) as T | undefined) ?? fallback;
  const address = value<string | undefined>('http', undefined);
  if (address === undefined) {
    const stray = ONLY_WITH_HTTP.find((name) => values.has(name));
    if (stray === undefined) return undefined;
    throw new Problem(`--${stray} is about HTTP; add --http <port> or leave it out`);
  }
  const { host, port } = readAddress(address);
  const auth = readAuth(values);
  const noAuth = value('no-auth', false);
  if (noAuth && auth !== undefined)
    throw new Problem('--no-auth and --auth-issuer exclude each other; keep one');
  if (auth === undefined && !noAuth && !isLoopback(host)) {
    throw new Problem(
      `--http ${quote(address)} is beyond loopback; add --auth-issuer with --auth-audience, or --no-auth to serve anyone`,
    );
  }
  return Object.freeze({
    host,
    port,
    sse: value('sse', false),
    ws: value('ws', false),
    allowOrigins: value<readonly string[]>('allow-origin', []).map(readOrigin),
    allowHosts: value<readonly string[]>('allow-host', []),
    auth,
    noAuth,
    sessionIdle: value('session-idle', DEFAULT_IDLE_MINUTES),
    sessionCap: value('session-cap', DEFAULT_CAP),
  });
}

function readAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]:|([^:[\]]*):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits ?? Number.NaN);
  const host = bracketed ?? plain ?? DEFAULT_HOST;
  if (host === '' || !(port <= MOST_PORT)) {
    throw new Problem(`--http wants a port, or host:port, such as 3000 or 0.0.0.0:3000, got ${quote(text)}`);
  }
  return { host, port };
}

function readAuth(values: Values): AuthChoice | undefined {
  const text = (name: string): string | undefined => values.get(name) as string | undefined; // text rows have text
  const issuer = text('auth-issuer');
  if (issuer === undefined) {
    const stray = ['auth-audience', 'auth-jwks', 'auth-scopes'].find((name) => values.has(name));
    if (stray === undefined) return undefined;
    throw new Problem(`--${stray} needs --auth-issuer <url>, the authorization server whose tokens are good`);
  }
  if (!URL.canParse(issuer) || !/^https?:$/.test(new URL(issuer).protocol)) {
    throw new Problem(`--auth-issuer wants an https URL such as https://login.example, got ${quote(issuer)}`);
  }
  const audience = text('auth-audience');
  if (audience === undefined) {
    throw new Problem(
      '--auth-issuer needs --auth-audience <url>, the address by which clients reach this server',
    );
  }
  return {
    issuer,
    audience,
    jwks: text('auth-jwks'),
    scopes: (values.get('auth-scopes') as readonly string[] | undefined) ?? [], // list rows have lists
  };
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.origin === 'null' || url.pathname !== '/' || url.search !== '') {
    throw new Problem(`--allow-origin wants an origin such as https://app.example, got ${quote(text)}`);
  }
  return url.origin;
}

/** Returns whether a host is this machine and nothing else. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
