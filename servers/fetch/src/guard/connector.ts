import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { WebError } from '../failure.ts';

/** The checks of a connection; each throws to refuse it. */
export interface ConnectionRules {
  target(hostname: string, port: number): void;
  lookupFor(port: number): LookupFunction;
  reached(hostname: string, port: number, address: string): void;
}

type Connect = buildConnector.connector;

/**
 * Returns an undici connector that connects only where the rules allow; like undici's own, it returns the socket at
 * once.
 */
export function guardConnector(options: buildConnector.BuildOptions, rules: ConnectionRules): Connect {
  const connectors = new Map<number, Connect>();
  const connectorFor = (port: number) => {
    let connect = connectors.get(port);
    if (connect === undefined) {
      connect = buildConnector({ ...options, lookup: rules.lookupFor(port) });
      connectors.set(port, connect);
    }
    return connect;
  };
  return (target, done) => {
    const { hostname, protocol } = target;
    const port = Number(target.port) || (protocol === 'https:' ? 443 : 80);
    try {
      rules.target(hostname, port);
    } catch (error) {
      process.nextTick(done, error, null);
      return;
    }
    return connectorFor(port)(target, (...[error, socket]) => {
      if (error) {
        done(error, null);
        return;
      }
      try {
        rules.reached(hostname, port, socket.remoteAddress ?? gone());
      } catch (refusal) {
        socket.destroy();
        process.nextTick(done, refusal, null);
        return;
      }
      done(null, socket);
    });
  };
}

function gone(): never {
  throw new WebError('the connection was closed at once', { code: 'connect-failed', retryable: true });
}
