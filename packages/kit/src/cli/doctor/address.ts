import { constants } from 'node:fs';
import { createServer } from 'node:net';
import { isLoopback } from '../http.ts';
import { whyNotHeard } from '../listening.ts';
import type { Check, HttpChoice } from '../options.ts';
import { descriptors, readProc } from './descriptors.ts';
import type { Machine } from './machine.ts';

/** Milliseconds for the look-up of a host. */
const LOOK_UP_MS = 5_000;

/**
 * Checks whether the server can listen on the address of `--http`, and who may connect; nothing without that option.
 */
export async function checkAddress(
  http: HttpChoice | undefined,
  machine: Machine,
): Promise<readonly Check[]> {
  if (http === undefined) return [];
  return [await checkPort(http), ...checkBeyond(http), ...checkTokens(http, machine)];
}

async function checkPort(http: HttpChoice): Promise<Check> {
  const { host, port } = http;
  const error = await listenOnce(http);
  if (error === undefined) {
    const what =
      port === 0 ? `a free port of ${host} is taken at each start` : `port ${port} of ${host} is free`;
    return { state: 'ok', what };
  }
  const why = whyNotHeard(error, http) ?? {
    what: `${host}:${port} cannot be listened on (${error.message})`,
    fix: 'choose another address',
  };
  const holder = why.what.endsWith('in use') ? holderOf(port) : undefined;
  return { state: 'fail', ...why, what: holder === undefined ? why.what : `${why.what} by ${holder}` };
}

/** Listens on the address once and returns the error that prevented it. */
function listenOnce({ host, port }: HttpChoice): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    const late = setTimeout(() => {
      resolve(new Error('its look-up does not end'));
      server.close();
    }, LOOK_UP_MS);
    const end = (error?: Error): void => {
      clearTimeout(late);
      server.close(() => resolve(error));
    };
    server.once('error', end);
    server.listen({ host, port, exclusive: true }, () => end());
  });
}

/** Returns the program that listens on a port, where this user may see it. */
function holderOf(port: number): string | undefined {
  const sockets = new Set(
    ['tcp', 'tcp6'].flatMap((kind) => listenersIn(readProc(`/proc/net/${kind}`), port)),
  );
  if (sockets.size === 0) return undefined;
  for (const { pid, target } of descriptors()) {
    if (!sockets.has(target)) continue;
    return `${readProc(`/proc/${pid}/comm`)?.trim() ?? 'a program'} (process ${pid})`;
  }
  return undefined;
}

function listenersIn(table: string | undefined, port: number): readonly string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return (table ?? '').split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    // 0A is LISTEN
    return fields[1]?.endsWith(ending) === true && fields[3] === '0A' ? [`socket:[${fields[9]}]`] : [];
  });
}

function checkBeyond({ host, allowHosts, noAuth }: HttpChoice): readonly Check[] {
  if (isLoopback(host)) return [];
  const plain: Check = {
    state: 'warn',
    what: `${host} is beyond loopback, and HTTP is not encrypted`,
    fix: 'listen on 127.0.0.1 behind a proxy that has TLS',
  };
  const open: Check = {
    state: 'warn',
    what: `anyone who reaches ${host} may use this server`,
    fix: 'leave out --no-auth and add --auth-issuer with --auth-audience',
  };
  const unnamed: Check = {
    state: 'warn',
    what: `requests may name any host, since ${host} is beyond loopback`,
    fix: 'name those that clients use with --allow-host',
  };
  return [plain, ...(noAuth ? [open] : []), ...(allowHosts.length === 0 ? [unnamed] : [])];
}

function checkTokens({ auth }: HttpChoice, { can }: Machine): readonly Check[] {
  if (auth === undefined) return [];
  const { issuer, audience, jwks } = auth;
  const asked: Check = { state: 'ok', what: `tokens of ${new URL(issuer).origin} for ${audience} let in` };
  if (jwks === undefined || URL.canParse(jwks) || can(jwks, constants.R_OK)) return [asked];
  const fix = 'correct the path, or leave it out to ask the issuer';
  return [asked, { state: 'fail', what: `--auth-jwks names ${jwks}, which cannot be read`, fix }];
}
