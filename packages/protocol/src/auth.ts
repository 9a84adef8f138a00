export type { Authorizer, Credentials, Identity, McpRequest, Refusal } from './auth/authorizer.ts';
export type { ClientMetadataOptions } from './auth/client/client-metadata.ts';
export { clientMetadataDocument } from './auth/client/client-metadata.ts';
export type { AuthenticationMethod } from './auth/client/credentials.ts';
export { AuthorizationError, type AuthorizationFailure } from './auth/client/error.ts';
export type { IdentityProvider } from './auth/client/grants/id-jag.ts';
export type { AssertionRequest } from './auth/client/grants/jwt-bearer.ts';
export type { ClientChoice, RegisteredClient } from './auth/client/identity.ts';
export type { PrivateKey } from './auth/client/jwt.ts';
export { type LoopbackOptions, loopbackRedirect } from './auth/client/loopback.ts';
export {
  clientCredentials,
  type Discovered,
  discoverAuthorization,
  enterpriseManaged,
  type OAuthOptions,
  oauth,
  workloadIdentity,
} from './auth/client/oauth.ts';
export type { CommonOptions } from './auth/client/options.ts';
export type { Redirection } from './auth/client/redirection.ts';
export { type CredentialStore, memoryStore } from './auth/client/store.ts';
export type { ChallengedResponse, ClientAuth } from './auth/client-auth.ts';
export { bearer } from './auth/server/bearer.ts';
export type { BearerOptions, Verify } from './auth/server/bearer-options.ts';
export type { Claims } from './auth/server/claims.ts';
export { type AuthFlags, authFromFlags, type FlagsContext } from './auth/server/flags.ts';
export { type JwksOptions, jwks } from './auth/server/jwks.ts';
export type { KeyLocation } from './auth/server/key-source.ts';
export type { ScopeHierarchy } from './auth/server/scopes.ts';
