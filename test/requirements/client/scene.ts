import { type OAuthOptions, oauth } from '@rootbound/protocol/auth';
import { AuthorizationServer } from '../../../packages/protocol/test/auth/client/authorization-server.ts';
import { type Outcome, request } from '../../../packages/protocol/test/auth/client/request.ts';
import { ResourceServer } from '../../../packages/protocol/test/auth/client/resource-server.ts';
import { user } from '../../../packages/protocol/test/auth/client/user.ts';
import { pathsOf } from '../../../packages/protocol/test/auth/client/web.ts';
import type { LedgerRevision } from '../ledger.ts';

export { AuthorizationServer, pathsOf, ResourceServer };

export const PROTECTED = '/.well-known/oauth-protected-resource';
export const OAUTH = '/.well-known/oauth-authorization-server';
export const OPENID = '/.well-known/openid-configuration';
export const REDIRECT_URI = 'http://127.0.0.1:33418/callback';

/** A client, a protected server and its authorization server, all on loopback. */
export class Scene {
  readonly issuer: AuthorizationServer;
  readonly server: ResourceServer;
  readonly person = user();
  readonly revision: LedgerRevision;

  constructor(issuer: AuthorizationServer, server: ResourceServer, revision: LedgerRevision) {
    this.issuer = issuer;
    this.server = server;
    this.revision = revision;
  }

  client(options: Partial<OAuthOptions> = {}) {
    return oauth({ clientName: 'Tester', redirect: this.person, ...options });
  }

  /** Runs an operation like a transport: with credentials, and again as long as the client requests it. */
  act(auth = this.client(), operation = 'list'): Promise<Outcome> {
    return request(auth, this.server.url, operation, { revision: this.revision });
  }

  /** Returns the status of an operation, or its error. */
  outcome(auth = this.client(), operation = 'list'): Promise<number | string> {
    return this.act(auth, operation).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
  }
}

export async function scene(revision: LedgerRevision, issuerPath = ''): Promise<Scene> {
  const issuer = await AuthorizationServer.start(issuerPath);
  return new Scene(issuer, await ResourceServer.start(issuer), revision);
}

/** Creates a server of 2025-03-26 that is its own authorization server, with metadata or with the default paths. */
export async function alone(revision: LedgerRevision, metadata = false): Promise<Scene> {
  const place = await scene(revision);
  const { issuer, server } = place;
  const { origin } = server.web;
  server.metadataPath = undefined;
  issuer.iss = undefined;
  issuer.metadataPaths = [];
  server.override = (asked) => {
    if (asked.url.pathname !== OAUTH) return issuer.answer(asked);
    if (!metadata) return undefined;
    const body = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      code_challenge_methods_supported: ['S256'],
    };
    return { status: 200, body };
  };
  return place;
}
