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

/**
 * How a user is asked, and as which client.
 * @example
 * const options: OAuthOptions = {
 *   clientName: 'Example',
 *   redirect: { redirectUri: 'https://app.example/callback', authorize: async () => 'code=1&state=2' },
 * };
 */
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
 * @example
 * const auth = clientCredentials({
 *   client: { issuer: 'https://login.example.com', clientId: 'nightly', clientSecret: 'from the environment' },
 * });
 * http('https://mcp.example.com/mcp', { auth });
 */
export function clientCredentials(options: CommonOptions & { client: RegisteredClient }): ClientAuth {
  return new Session({ ...readCommon(options), grant: clientCredentialsGrant(options.client) });
}

/**
 * Credentials of a workload that its platform vouches for with a signed assertion.
 * Source: https://github.com/modelcontextprotocol/modelcontextprotocol/pull/1933
 * @example
 * const auth = workloadIdentity({
 *   client: { issuer: 'https://login.example.com', clientId: 'build' },
 *   assertion: () => 'the assertion of the platform',
 * });
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
 * @example
 * const client = { issuer: 'https://login.example.com', clientId: 'desk', clientSecret: 'from the environment' };
 * const auth = enterpriseManaged({
 *   client,
 *   identityProvider: {
 *     issuer: 'https://id.example.com',
 *     clientId: 'desk',
 *     clientSecret: 'from the environment',
 *     tokenEndpoint: 'https://id.example.com/token',
 *     subjectToken: () => 'the identity token of the user',
 *   },
 * });
 */
export function enterpriseManaged(
  options: CommonOptions & { client: RegisteredClient; identityProvider: IdentityProvider },
): ClientAuth {
  const { client, identityProvider } = options;
  const grant = jwtBearerGrant('enterprise', client, idJagExchange(identityProvider));
  return new Session({ ...readCommon(options), grant });
}

/**
 * Who issues tokens for a server, and what for.
 * @example
 * const isMine = ({ issuer }: Discovered): boolean => issuer === 'https://login.example.com';
 */
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

/**
 * What a server's metadata says of its authorization server, as one needs it to register a client there.
 * @example
 * const answers: Record<string, object> = {
 *   'http://localhost:3000/.well-known/oauth-protected-resource/mcp': {
 *     resource: 'http://localhost:3000/mcp',
 *     authorization_servers: ['http://localhost:9000'],
 *   },
 *   'http://localhost:9000/.well-known/oauth-authorization-server': {
 *     issuer: 'http://localhost:9000',
 *     authorization_endpoint: 'http://localhost:9000/authorize',
 *     token_endpoint: 'http://localhost:9000/token',
 *     response_types_supported: ['code'],
 *     code_challenge_methods_supported: ['S256'],
 *   },
 * };
 * const known: typeof fetch = async (input) => {
 *   const answer = answers[String(input instanceof Request ? input.url : input)];
 *   return answer === undefined ? new Response(null, { status: 404 }) : Response.json(answer);
 * };
 * const { issuer } = await discoverAuthorization('http://localhost:3000/mcp', { fetch: known });
 * issuer; // => 'http://localhost:9000'
 */
export async function discoverAuthorization(
  server: string | URL,
  options: Pick<CommonOptions, 'fetch' | 'lookup' | 'allowPrivate' | 'timeout' | 'signal'> = {},
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
