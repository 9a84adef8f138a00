import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { WebError } from '../failure.ts';
import type { ProxyServer } from './proxies.ts';

type Connect = buildConnector.connector;

/** Returns a connector to a proxy, whose certificate is always verified. */
export function connectProxy(proxy: ProxyServer): Connect {
  const connect = buildConnector({ timeout: 0 });
  const { hostname, host, protocol, port } = proxy.url;
  const servername = /^[\d.]+$|^\[/.test(hostname) ? '' : hostname;
  const target = { hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port, servername };
  return (_target, done) =>
    connect(target, (...[error, socket]) => {
      if (error === null) done(null, socket);
      else done(proxyFailed('the proxy cannot be reached'), null);
    });
}

/**
 * Returns a connector through a proxy's CONNECT tunnel; `secure` adds TLS for https. `onPart` receives functions that
 * abort connecting.
 */
export function connectThrough(
  proxy: ProxyServer,
  secure: Connect,
  onPart: (end: () => void) => void,
): Connect {
  const connect = connectProxy(proxy);
  return (target, done) => {
    const client = new Client(proxy.url.origin, { connect, headersTimeout: 0, maxHeaderSize: 16_384 });
    onPart(() => client.destroy(() => {}));
    const port = target.port || (target.protocol === 'https:' ? '443' : '80');
    const path = `${target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname}:${port}`;
    const headers = {
      host: path,
      ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }),
    };
    client.connect({ path, headers }).then(
      ({ statusCode, socket }) => {
        // undici passes the net.Socket that its connector made
        const httpSocket = socket as Socket;
        onPart(() => httpSocket.destroy());
        if (statusCode < 200 || statusCode > 299) {
          httpSocket.on('error', () => {}).destroy();
          done(refused(statusCode), null);
        } else if (target.protocol === 'https:') secure({ ...target, httpSocket }, done);
        else done(null, httpSocket);
      },
      (error) =>
        done(error instanceof WebError ? error : proxyFailed('the proxy closed the connection'), null),
    );
  };
}

function refused(status: number): WebError {
  return proxyFailed(`the proxy refused the connection with status ${status}`);
}

/** Returns a failure of the proxy, without its URL. */
export function proxyFailed(message: string): WebError {
  return new WebError(message, {
    code: 'proxy-failed',
    retryable: true,
    hint: 'the operator has to check the proxy and its settings',
  });
}
