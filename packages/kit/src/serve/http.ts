import type { Server } from '@rootbound/protocol';
import { type Authorizer, type ListeningHttp, type Mount, serveHttp } from '@rootbound/protocol/http';
import type { SseRoutes } from '@rootbound/protocol/sse';
import type { WebSocketEndpoint } from '@rootbound/protocol/ws';
import { guarded } from '../call/guarded.ts';
import { whyNotHeard } from '../cli/listening.ts';
import type { HttpChoice } from '../cli/options.ts';
import { defined } from '../primitives/defined.ts';
import type { ServeHooks } from './hooks.ts';

const PATH = '/mcp';
const MINUTE_MS = 60_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Serves over HTTP and prints the address on stderr; a signal lets calls in progress end first. */
export async function serveChoice<S>(
  server: Server<S>,
  choice: HttpChoice,
  hooks: ServeHooks,
): Promise<void> {
  let serving: Serving<S>;
  try {
    serving = await listen(server, choice, hooks);
  } catch (error) {
    process.stderr.write(`${whyNot(error, choice)}\n`);
    process.exitCode = 1;
    await hooks.close();
    return;
  }
  const { listening, routes, sockets } = serving;
  process.stderr.write(`listening on ${listening.url}\n`);
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await Promise.all([listening.close(), routes?.close(), sockets?.close()]);
    await hooks.close();
    process.exit(0);
  };
  for (const signal of SIGNALS) process.on(signal, () => void end());
}

interface Serving<S> {
  listening: ListeningHttp<S>;
  routes: SseRoutes | undefined;
  sockets: WebSocketEndpoint | undefined;
}

async function listen<S>(server: Server<S>, choice: HttpChoice, hooks: ServeHooks): Promise<Serving<S>> {
  const authorizer = await makeAuthorizer(choice, hooks);
  const permit = authorizer?.permit?.bind(authorizer);
  const limits = { idleTimeout: choice.sessionIdle * MINUTE_MS, connectionCap: choice.sessionCap };
  const routes = choice.sse
    ? (await import('@rootbound/protocol/sse')).sseRoutes(server, { ...limits, ...(permit && { permit }) })
    : undefined;
  const mounts: Mount[] = routes === undefined ? [] : [routes.route];
  const listening = await serveHttp(server, {
    host: choice.host,
    port: choice.port,
    path: PATH,
    allowedOrigins: choice.allowOrigins,
    allowedHosts: choice.allowHosts,
    allowAnyone: choice.noAuth,
    sessionIdle: limits.idleTimeout,
    sessionCap: choice.sessionCap,
    mounts,
    ...defined({ authorizer }),
  });
  if (!choice.ws) return { listening, routes, sockets: undefined };
  const { webSocketEndpoint } = await import('@rootbound/protocol/ws');
  const sockets = webSocketEndpoint(server, {
    ...limits,
    guard: listening.handler.guard,
    ...defined({ authorizer }),
  });
  listening.listener.on('upgrade', (request, socket, head) => {
    const upgrade = (): void => {
      if (!sockets.upgrade(request, socket, head)) socket.destroy();
    };
    guarded(upgrade, (error) => {
      socket.destroy();
      hooks.onError(error);
    })();
  });
  return { listening, routes, sockets };
}

async function makeAuthorizer(
  { auth, host, port }: HttpChoice,
  { onError }: ServeHooks,
): Promise<Authorizer | undefined> {
  if (auth === undefined) return undefined;
  const { authFromFlags } = await import('@rootbound/protocol/auth');
  return authFromFlags(auth, { onError, ...(port !== 0 && { url: `http://${host}:${port}${PATH}` }) });
}

/** Returns one line for the operator. */
function whyNot(error: unknown, choice: HttpChoice): string {
  const why = whyNotHeard(error, choice);
  if (why !== undefined) return `${why.what}; ${why.fix}`;
  return error instanceof Error ? error.message : String(error);
}
