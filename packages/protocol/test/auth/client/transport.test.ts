import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { type Authorizer, bearer, oauth } from '../../../src/auth.ts';
import { type ClientOptions, connect, http } from '../../../src/client.ts';
import { serveHttp } from '../../../src/http.ts';
import { createServer, tool } from '../../../src/index.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { user } from './user.ts';

/** Starts a guarded server over HTTP whose tools require the scope `call`. */
async function guarded(issuer: AuthorizationServer): Promise<string> {
  const server = createServer({
    name: 'guarded',
    version: '1.0.0',
    tools: [
      tool({
        name: 'deploy',
        description: 'Deploys.',
        input: z.object({}),
        run: () => 'deployed',
      }),
    ],
  });
  // the metadata has the URL, which is known once it listens
  let inner: Authorizer | undefined;
  const authorizer: Authorizer = {
    authorize: (asked) => inner!.authorize(asked),
    permit: (...asked) => inner!.permit?.(...asked),
    document: (path) => inner!.document?.(path),
  };
  const listening = await serveHttp(server, { port: 0, authorizer });
  onTestFinished(() => listening.close(0));
  inner = bearer({
    verify: (token) => {
      const found = issuer.tokens.get(token);
      if (found === undefined) return undefined;
      const { clientId, resource = '', scopes } = found;
      const exp = Math.floor(Date.now() / 1000) + 60;
      return { iss: issuer.id, aud: resource, exp, sub: 'ada', client_id: clientId, scope: scopes.join(' ') };
    },
    resource: listening.url,
    authorizationServers: [issuer.id],
    scopes: ['read'],
    scopesFor: (method) => (method === 'tools/call' ? ['call'] : undefined),
  });
  return listening.url;
}

test.each<Pick<ClientOptions, 'era' | 'revision'>>([
  { era: 'handshake', revision: '2025-03-26' },
  { era: 'handshake', revision: '2025-06-18' },
  { era: 'handshake', revision: '2025-11-25' },
  { era: { pinned: '2026-07-28' } },
  { era: 'auto' },
])('a client signs in, and again for a tool that requires more, with %j', async (how) => {
  const issuer = await AuthorizationServer.start();
  const url = await guarded(issuer);
  const auth = oauth({ clientName: 'Tester', redirect: user() });
  const client = await connect(http(url, { auth }), { name: 'tester', version: '1.0.0', ...how });
  onTestFinished(() => client.close());
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['deploy']);
  const { content } = await client.callTool('deploy', {});
  expect(content).toEqual([{ type: 'text', text: 'deployed' }]);
  expect(issuer.authorizations.map(({ scope, resource }) => [scope, resource])).toEqual([
    ['read', url],
    ['read call', url],
  ]);
});
