import { createHash, createPublicKey, type JsonWebKey, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, decodeJwt, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import { serve, type Web, type WebAnswer, type WebRequest } from './web.ts';

export interface KnownClient {
  readonly id: string;
  readonly method: string;
  readonly secret?: string;
  readonly publicKey?: JsonWebKey;
  readonly redirectUris?: readonly string[];
}

export interface IssuedToken {
  readonly clientId: string;
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  /** thumbprint of the key that it is bound to */
  readonly jkt: string | undefined;
}

type Params = Readonly<Record<string, string>>;

interface Code {
  readonly params: Params;
  readonly scopes: readonly string[];
}

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A real authorization server on loopback: it checks and records its requests. */
export class AuthorizationServer {
  readonly web: Web;
  readonly id: string;
  readonly #path: string;
  /** path of the metadata; default the one of RFC 8414 */
  metadataPaths: readonly string[];
  /** members of the metadata to change, or to leave out if undefined */
  metadata: Record<string, unknown> = {};
  /** the `iss` of an authorization response; undefined leaves it out */
  iss: string | undefined;
  /** parameters of an authorization response to change, or to leave out if undefined */
  response: Record<string, string | undefined> = {};
  /** returns the scopes that the user grants of the requested ones */
  consent: (scopes: readonly string[]) => readonly string[] = (scopes) => scopes;
  /** seconds until a token expires */
  lifetime: number | undefined = 3600;
  givesRefreshTokens = true;
  /** true if a token response lists the granted scopes */
  saysScopes = true;
  /** the nonce that proofs must have */
  nonce: string | undefined;
  /** returns a response that replaces that of the token endpoint */
  tokenAnswer: (params: Params) => WebAnswer | undefined = () => undefined;
  /** members of a registration response to change, or to leave out if undefined */
  registration: Record<string, unknown> = {};
  registrationStatus = 201;
  /** accepts the assertions of the JWT bearer grant; returns their client */
  takesAssertion: (assertion: string) => Promise<boolean> = async () => false;

  readonly clients = new Map<string, KnownClient>();
  readonly registered: Record<string, unknown>[] = [];
  readonly authorizations: Params[] = [];
  readonly tokenRequests: Params[] = [];
  readonly tokens = new Map<string, IssuedToken>();
  readonly #codes = new Map<string, Code>();
  readonly #refresh = new Map<string, IssuedToken>();
  readonly #assertions = new Set<string>();

  private constructor(web: Web, path: string) {
    this.web = web;
    this.id = `${web.origin}${path}`;
    this.iss = this.id;
    this.#path = path;
    this.metadataPaths = [`/.well-known/oauth-authorization-server${path}`];
  }

  static async start(path = '', listen = serve): Promise<AuthorizationServer> {
    const web = await listen((request) => server.answer(request));
    const server = new AuthorizationServer(web, path);
    return server;
  }

  /** Registers a client. */
  know(client: KnownClient): void {
    this.clients.set(client.id, client);
  }

  async answer(request: WebRequest): Promise<WebAnswer | undefined> {
    const { method, url } = request;
    if (this.metadataPaths.includes(url.pathname)) return { status: 200, body: this.#describe() };
    if (method === 'GET' && url.pathname === `${this.#path}/authorize`) return this.#authorize(url);
    if (method === 'POST' && url.pathname === `${this.#path}/register`) return this.#register(request.body);
    if (method === 'POST' && url.pathname === `${this.#path}/token`) return this.#token(request);
    return undefined;
  }

  #describe(): object {
    return {
      issuer: this.id,
      authorization_endpoint: `${this.id}/authorize`,
      token_endpoint: `${this.id}/token`,
      registration_endpoint: `${this.id}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  #authorize({ searchParams }: URL): WebAnswer {
    const params: Params = Object.fromEntries(searchParams);
    this.authorizations.push(params);
    const {
      client_id: id = '',
      redirect_uri: uri = '',
      code_challenge_method: pkce,
      state,
      scope = '',
    } = params;
    const client = this.clients.get(id);
    if (client?.redirectUris?.includes(uri) !== true || pkce !== 'S256') return { status: 400, body: 'no' };
    const code = randomUUID();
    const wanted = scope.split(' ').filter((one) => one !== '');
    this.#codes.set(code, { params, scopes: this.consent(wanted) });
    const back = new URL(uri);
    const answer = { code, state, iss: this.iss, ...this.response };
    for (const [name, value] of Object.entries(answer)) {
      if (value !== undefined) back.searchParams.set(name, value);
    }
    return { status: 302, headers: { location: back.href } };
  }

  #register(body: string): WebAnswer {
    const asked = JSON.parse(body) as Record<string, unknown>;
    this.registered.push(asked);
    if (this.registrationStatus !== 201) return { status: this.registrationStatus, body: this.registration };
    const method = String(asked.token_endpoint_auth_method);
    const client = {
      client_id: `registered-${this.registered.length}-${this.web.origin}`,
      ...(method !== 'none' && { client_secret: `secret:${randomUUID()} %` }),
      ...asked,
      ...this.registration,
    } as Record<string, unknown> & { client_id: string; client_secret?: string };
    this.know({
      id: client.client_id,
      method: String(client.token_endpoint_auth_method),
      redirectUris: asked.redirect_uris as string[],
      ...(client.client_secret !== undefined && { secret: client.client_secret }),
    });
    return { status: 201, body: client };
  }

  async #token(request: WebRequest): Promise<WebAnswer> {
    const params: Params = Object.fromEntries(new URLSearchParams(request.body));
    this.tokenRequests.push(params);
    const answer = this.tokenAnswer(params);
    if (answer !== undefined) return answer;
    const client = await this.#authenticate(request, params);
    if (client === undefined) return refuse('invalid_client', 401);
    const proof = await this.#readProof(request);
    if (proof === 'invalid') return refuse('invalid_dpop_proof');
    if (proof === 'nonce')
      return { ...refuse('use_dpop_nonce'), headers: { 'dpop-nonce': String(this.nonce) } };
    const token = await this.#grant(params, client, proof?.jkt);
    if (token === undefined) return refuse('invalid_grant');
    return { status: 200, body: this.#issue(token) };
  }

  async #authenticate({ headers }: WebRequest, params: Params): Promise<KnownClient | undefined> {
    const { authorization } = headers;
    if (authorization?.startsWith('Basic ') === true) {
      const [id, secret] = Buffer.from(authorization.slice(6), 'base64')
        .toString()
        .split(':')
        .map(formDecode);
      const client = this.clients.get(id ?? '');
      return client?.method === 'client_secret_basic' && client.secret === secret ? client : undefined;
    }
    const client = this.clients.get(params.client_id ?? '');
    if (client?.method === 'none') return client;
    if (client?.method === 'client_secret_post') {
      return client.secret === params.client_secret ? client : undefined;
    }
    if (client?.publicKey === undefined || params.client_assertion_type !== ASSERTION) return undefined;
    return (await this.#isSignedBy(client, params.client_assertion ?? '')) ? client : undefined;
  }

  async #isSignedBy({ id, publicKey }: KnownClient, assertion: string): Promise<boolean> {
    try {
      const key = createPublicKey({ key: publicKey ?? {}, format: 'jwk' });
      const options = { audience: this.id, issuer: id, subject: id, requiredClaims: ['exp', 'iat', 'jti'] };
      const { payload } = await jwtVerify(assertion, key, options);
      const used = this.#assertions.has(String(payload.jti));
      this.#assertions.add(String(payload.jti));
      return !used;
    } catch {
      // any failure means that it is not signed by the client
      return false;
    }
  }

  async #readProof({ headers }: WebRequest): Promise<{ jkt: string } | 'invalid' | 'nonce' | undefined> {
    const { dpop } = headers;
    if (dpop === undefined) return undefined;
    const proof = await readProof(String(dpop), { htm: 'POST', htu: `${this.id}/token` });
    if (proof === undefined) return 'invalid';
    return this.nonce !== undefined && proof.claims.nonce !== this.nonce ? 'nonce' : proof;
  }

  async #grant(
    params: Params,
    client: KnownClient,
    jkt: string | undefined,
  ): Promise<IssuedToken | undefined> {
    const { grant_type: type, resource, scope = '' } = params;
    const scopes = scope.split(' ').filter((one) => one !== '');
    const fresh = { clientId: client.id, resource, scopes, jkt };
    if (type === 'client_credentials') return client.method === 'none' ? undefined : fresh;
    if (type === JWT_BEARER) {
      return (await this.takesAssertion(params.assertion ?? '')) ? fresh : undefined;
    }
    if (type === 'refresh_token') {
      const token = this.#refresh.get(params.refresh_token ?? '');
      this.#refresh.delete(params.refresh_token ?? '');
      return token?.clientId === client.id && token.resource === resource ? { ...token, jkt } : undefined;
    }
    const code = type === 'authorization_code' ? this.#codes.get(params.code ?? '') : undefined;
    this.#codes.delete(params.code ?? '');
    if (code === undefined || !isRedeemed(code.params, params, client.id)) return undefined;
    return { ...fresh, scopes: code.scopes };
  }

  #issue(token: IssuedToken): object {
    const access = `at-${randomUUID()}`;
    const refresh = `rt-${randomUUID()}`;
    this.tokens.set(access, token);
    if (this.givesRefreshTokens) this.#refresh.set(refresh, token);
    return {
      access_token: access,
      token_type: token.jkt === undefined ? 'Bearer' : 'DPoP',
      ...(this.lifetime !== undefined && { expires_in: this.lifetime }),
      ...(this.givesRefreshTokens && { refresh_token: refresh }),
      ...(this.saysScopes && token.scopes.length > 0 && { scope: token.scopes.join(' ') }),
    };
  }
}

/** Returns the claims of a DPoP proof for one request, and the thumbprint of its key; undefined if it is invalid. */
export async function readProof(
  proof: string,
  { htm, htu, token }: { htm: string; htu: string; token?: string },
): Promise<{ claims: JWTPayload; jkt: string } | undefined> {
  try {
    const options = { typ: 'dpop+jwt', algorithms: ['ES256'], maxTokenAge: 60, requiredClaims: ['jti'] };
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, options);
    const ath = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url');
    const fits = payload.htm === htm && payload.htu === htu && payload.ath === ath;
    if (!fits || protectedHeader.jwk === undefined) return undefined;
    return { claims: payload, jkt: await calculateJwkThumbprint(protectedHeader.jwk) };
  } catch {
    // any failure means an invalid proof
    return undefined;
  }
}

/** Returns the claims of a token without verification. */
export function claimsOf(token: string): JWTPayload {
  return decodeJwt(token);
}

function isRedeemed(asked: Params, params: Params, clientId: string): boolean {
  const challenge = createHash('sha256')
    .update(params.code_verifier ?? '')
    .digest('base64url');
  return (
    asked.client_id === clientId &&
    asked.redirect_uri === params.redirect_uri &&
    asked.resource === params.resource &&
    asked.code_challenge === challenge
  );
}

function refuse(error: string, status = 400): WebAnswer {
  return { status, body: { error } };
}

function formDecode(text: string): string {
  return new URLSearchParams(`=${text}`).get('') ?? '';
}
