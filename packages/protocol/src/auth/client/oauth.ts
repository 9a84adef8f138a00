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
 * Options for credentials of a user.
 * @example
 * const options: OAuthOptions = {
 *   clientName: 'Example',
 *   redirect: { redirectUri: 'https://app.example/callback', authorize: async () => 'code=1&state=2' },
 * };
 */
export interface OAuthOptions extends CommonOptions {
  /** asks the user; a function creates it for each flow, after which it is closed */
  redirect: Redirection | (() => Redirection | Promise<Redirection>);
  /** the name that the user reads on the consent page */
  clientName: string;
  clientUri?: string;
  logoUri?: string;
  /** default: a client that registers itself */
  client?: ClientChoice;
  /** whether to request refresh tokens if that takes a scope; default true */
  offline?: boolean;
  /** milliseconds to wait for the user; default ten minutes */
  patience?: number;
}

/**
 * Returns credentials of a user, who is asked when a server requires them.
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
 * Returns credentials of a program that acts for itself.
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
 * Returns credentials of a workload with a signed assertion of its platform.
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
    /** returns the platform's assertion; called for each token */
    assertion: (request: AssertionRequest) => string | Promise<string>;
  },
): ClientAuth {
  const { client, assertion } = options;
  return new Session({ ...readCommon(options), grant: jwtBearerGrant('workload', client, assertion) });
}

/**
 * Returns credentials of a user whose organisation decides about access, without asking the user.
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
 * The authorization server of a server, and its requirements.
 * @example
 * const isMine = ({ issuer }: Discovered): boolean => issuer === 'https://login.example.com';
 */
export interface Discovered {
  /** the issuer identifier, as in `registered` clients */
  readonly issuer: string;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  /** dynamic client registration is supported */
  readonly registers: boolean;
  /** client metadata documents are supported */
  readonly takesMetadataDocuments: boolean;
}

/**
 * Returns the authorization server that a server's metadata names, for the registration of a client.
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
