import { type AuthorizationServer, type IssuedToken, readProof } from './authorization-server.ts';
import { serve, type Web, type WebAnswer, type WebRequest } from './web.ts';

/** A protected server on loopback, whose operations require scopes. */
export class ResourceServer {
  readonly web: Web;
  readonly url: string;
  /** the authorization servers whose tokens are accepted, in the order of the metadata */
  issuers: readonly AuthorizationServer[];
  /** path of the metadata; undefined for none */
  metadataPath: string | undefined = '/.well-known/oauth-protected-resource/mcp';
  /** members of the metadata to change, or to leave out if undefined */
  metadata: Record<string, unknown> = {};
  /** parameters of challenges to change, or to leave out if undefined */
  challenge: Record<string, string | undefined> = {};
  scheme: 'Bearer' | 'DPoP' = 'Bearer';
  /** returns the scopes that an operation requires */
  needs: (operation: string) => readonly string[] = () => [];
  /** revoked tokens */
  readonly revoked = new Set<string>();
  nonce: string | undefined;
  /** returns a response that replaces any other */
  override: (request: WebRequest) => WebAnswer | undefined | Promise<WebAnswer | undefined> = () => undefined;
  /** the received tokens, in order; undefined for none */
  readonly presented: (string | undefined)[] = [];
  readonly #proofs = new Set<unknown>();

  private constructor(web: Web, issuers: readonly AuthorizationServer[]) {
    this.web = web;
    this.url = `${web.origin}/mcp`;
    this.issuers = issuers;
  }

  static start(...issuers: AuthorizationServer[]): Promise<ResourceServer> {
    return ResourceServer.startOn(serve, ...issuers);
  }

  static async startOn(listen: typeof serve, ...issuers: AuthorizationServer[]): Promise<ResourceServer> {
    const web = await listen((request) => server.answer(request));
    const server = new ResourceServer(web, issuers);
    return server;
  }

  /** Refuses all tokens that were received so far. */
  revokeAll(): void {
    for (const token of this.presented) {
      if (token !== undefined) this.revoked.add(token);
    }
  }

  async answer(request: WebRequest): Promise<WebAnswer | undefined> {
    const { url } = request;
    const other = await this.override(request);
    if (other !== undefined) return other;
    if (url.pathname === this.metadataPath) return { status: 200, body: this.#describe() };
    return url.pathname === '/mcp' ? this.#operate(request) : undefined;
  }

  #describe(): object {
    const ids = this.issuers.map(({ id }) => id);
    return { resource: this.url, authorization_servers: ids, ...this.metadata };
  }

  async #operate(request: WebRequest): Promise<WebAnswer> {
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    this.presented.push(token);
    const found = this.issuers.map(({ tokens }) => tokens.get(token ?? '')).find((one) => one !== undefined);
    if (token === undefined || found === undefined || this.revoked.has(token)) {
      return this.#refuse(401, token === undefined ? {} : { error: 'invalid_token' });
    }
    const problem = await this.#proofProblem(request, scheme, token, found);
    if (problem !== undefined) {
      return this.#refuse(
        401,
        { error: problem },
        this.nonce === undefined ? {} : { 'dpop-nonce': this.nonce },
      );
    }
    const scope = this.needs(request.body);
    if (scope.some((one) => !found.scopes.includes(one))) {
      return this.#refuse(403, { error: 'insufficient_scope', scope: scope.join(' ') });
    }
    return { status: 200, body: `done ${request.body}` };
  }

  async #proofProblem(
    { headers, method }: WebRequest,
    scheme: string | undefined,
    token: string,
    { jkt }: IssuedToken,
  ): Promise<string | undefined> {
    if (jkt === undefined) return scheme === 'Bearer' ? undefined : 'invalid_token';
    const proof = await readProof(String(headers.dpop), { htm: method, htu: this.url, token });
    if (scheme !== 'DPoP' || proof?.jkt !== jkt || this.#proofs.has(proof.claims.jti))
      return 'invalid_dpop_proof';
    this.#proofs.add(proof.claims.jti);
    return this.nonce === undefined || proof.claims.nonce === this.nonce ? undefined : 'use_dpop_nonce';
  }

  #refuse(status: number, params: Record<string, string>, headers: Record<string, string> = {}): WebAnswer {
    const known =
      this.metadataPath === undefined ? {} : { resource_metadata: `${this.web.origin}${this.metadataPath}` };
    const all: Record<string, string | undefined> = { ...known, ...params, ...this.challenge };
    const parameters = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}="${value}"`],
    );
    const challenge = `${this.scheme} ${parameters.join(', ')}`.trim();
    return {
      status,
      headers: { 'www-authenticate': challenge, ...headers },
      body: { error: params.error ?? 'none' },
    };
  }
}
