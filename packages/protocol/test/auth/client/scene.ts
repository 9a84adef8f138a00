import { type OAuthOptions, oauth } from '../../../src/auth.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { type Outcome, request } from './request.ts';
import { ResourceServer } from './resource-server.ts';
import { user } from './user.ts';

/** A user's client, a protected server and its authorization server. */
export interface Scene {
  readonly issuer: AuthorizationServer;
  readonly server: ResourceServer;
  readonly person: ReturnType<typeof user>;
  /** options of a client that registers itself */
  readonly options: OAuthOptions;
  /** runs an operation with a client that the first call creates */
  act(operation?: string): Promise<Outcome>;
}

export async function scene({
  issuerPath = '',
  ...options
}: Partial<OAuthOptions> & { issuerPath?: string } = {}): Promise<Scene> {
  const issuer = await AuthorizationServer.start(issuerPath);
  const server = await ResourceServer.start(issuer);
  const person = user();
  const all = { clientName: 'Tester', redirect: person, ...options };
  const auth = oauth(all);
  return { issuer, server, person, options: all, act: (operation) => request(auth, server.url, operation) };
}
