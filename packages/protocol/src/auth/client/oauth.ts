import type { ClientAuth } from '../client-auth.ts';
import { discover } from './discover.ts';
import { authorizationCode } from './grants/authorization-code.ts';
import { clientCredentialsGrant } from './grants/client-credentials.ts';
import { type IdentityProvider, idJagExchange } from './grants/id-jag.ts';
import { type AssertionRequest, jwtBearerGrant } from './grants/jwt-bearer.ts';
import { type ClientChoice, type RegisteredClient, readIdentity } from './identity.ts';
import { type CommonOptions, readCommon, readServer } from './options.ts';
import type { Redirection } from './redirection.ts';
import { Session } from './session.ts';

export interface OAuthOptions extends CommonOptions {
  /** how the user is asked; a function opens what a flow needs, which is closed after it */
  redirect: Redirection | (() => Redirection | Promise<Redirection>);
  /** what the user reads when asked for consent */
  clientName: string;
  clientUri?: string;
  logoUri?: string;
  /** default: a client that registers itself */
  client?: ClientChoice;
  /** whether refresh tokens are asked for where that takes a scope; default true */
  offline?: boolean;
  /** milliseconds that the user has for an answer; default ten minutes */
  patience?: number;
}

/**
 * Credentials of a user, who is asked when a server wants them.
 *
 * @example
 * const auth = oauth({
 *   clientName: 'Example',
 *   redirect: loopbackRedirect({ show: (url) => console.error(`sign in at ${url}`) }),
 * });
 */
export function oauth(options: OAuthOptions): ClientAuth {
  const {
    redirect,
    clientName,
    clientUri,
    logoUri,
    client = {},
    offline = true,
    patience = 600_000,
  } = options;
  if (typeof clientName !== 'string' || clientName === '')
    throw new TypeError('clientName must not be empty');
  const grant = authorizationCode({
    identity: readIdentity(client),
    description: { clientName, clientUri, logoUri },
    open: async () => (typeof redirect === 'function' ? redirect() : redirect),
    offline,
    patience,
  });
  return new Session({ ...readCommon(options), grant });
}

/**
 * Credentials of a program that acts for itself.
 * Source: https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/oauth-client-credentials.mdx
 */
export function clientCredentials(options: CommonOptions & { client: RegisteredClient }): ClientAuth {
  return new Session({ ...readCommon(options), grant: clientCredentialsGrant(options.client) });
}

/**
 * Credentials of a workload that its platform vouches for with a signed assertion.
 * Source: https://github.com/modelcontextprotocol/modelcontextprotocol/pull/1933
 */
export function workloadIdentity(
  options: CommonOptions & {
    client: RegisteredClient;
    /** the assertion of the platform, asked for anew for each token */
    assertion: (request: AssertionRequest) => string | Promise<string>;
  },
): ClientAuth {
  const { client, assertion } = options;
  return new Session({ ...readCommon(options), grant: jwtBearerGrant('workload', client, assertion) });
}

/**
 * Credentials of a user whose organisation decides, without asking the user, over what the user may reach.
 * Source: https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/enterprise-managed-authorization.mdx
 */
export function enterpriseManaged(
  options: CommonOptions & { client: RegisteredClient; identityProvider: IdentityProvider },
): ClientAuth {
  const { client, identityProvider } = options;
  const grant = jwtBearerGrant('enterprise', client, idJagExchange(identityProvider));
  return new Session({ ...readCommon(options), grant });
}

/** Who issues tokens for a server, and what for. */
export interface Discovered {
  /** the identifier of the authorization server, as `registered` clients name it */
  readonly issuer: string;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  /** clients may register themselves */
  readonly registers: boolean;
  /** clients may be known by a metadata document */
  readonly takesMetadataDocuments: boolean;
}

/** What a server's metadata says of its authorization server, as one needs it to register a client there. */
export async function discoverAuthorization(
  server: string | URL,
  options: Pick<CommonOptions, 'fetch' | 'timeout' | 'signal'> = {},
): Promise<Discovered> {
  const { net } = readCommon(options);
  const { issuer, resource } = await discover(net, {
    server: readServer(server),
    demand: { metadataUrl: undefined },
    revision: undefined,
    preferred: [],
  });
  return {
    issuer: issuer.id,
    resource: resource.id,
    scopes: resource.scopes,
    registers: issuer.registrationEndpoint !== undefined,
    takesMetadataDocuments: issuer.takesMetadataDocuments,
  };
}
