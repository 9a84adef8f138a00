import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from 'jose';

export const RESOURCE = 'https://mcp.example.com/mcp';

export interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** with `kid`, `alg` and `use` */
  readonly jwk: Record<string, unknown>;
}

export async function signingKey(alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { alg, kid, privateKey, jwk: { ...jwk, kid, alg, use: 'sig' } };
}

export interface TokenShape {
  /** members to change, or to leave out if undefined */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: SigningKey;
}

/** An authorization server on loopback that signs tokens and publishes its keys. */
export class Issuer {
  keys: SigningKey[];
  /** additional or changed members of the metadata */
  metadata: Record<string, unknown> = {};
  /** a document that replaces the keys */
  keySet: unknown;
  /** paths that redirect to others */
  readonly redirects = new Map<string, string>();
  /** the requested paths */
  readonly asked: string[] = [];
  readonly path: string;
  #server: Server;
  #port = 0;

  private constructor(key: SigningKey, path: string) {
    this.keys = [key];
    this.path = path;
    this.#server = this.#createServer();
  }

  static async start({ alg = 'ES256', path = '' }: { alg?: string; path?: string } = {}): Promise<Issuer> {
    const issuer = new Issuer(await signingKey(alg), path);
    await issuer.#listen();
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.path}`;
  }

  get jwksUrl(): string {
    return `http://127.0.0.1:${this.#port}/keys`;
  }

  timesAsked(path: string): number {
    return this.asked.filter((one) => one === path).length;
  }

  /** Returns a valid token for the resource, with some changes. */
  token({ claims = {}, header = {}, key = this.keys[0]! }: TokenShape = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const payload: JWTPayload = {
      iss: this.url,
      aud: RESOURCE,
      sub: 'ada',
      client_id: 'editor',
      scope: 'files:read',
      iat: now,
      exp: now + 3600,
      ...claims,
    };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(key.privateKey);
  }

  /** Stops the server; `resume` starts it at the same port. */
  async stop(): Promise<void> {
    const stopped = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await stopped;
  }

  async resume(): Promise<void> {
    this.#server = this.#createServer();
    await this.#listen();
  }

  #createServer(): Server {
    return createServer((request, response) => {
      const path = request.url ?? '/';
      this.asked.push(path);
      const target = this.redirects.get(path);
      if (target !== undefined) {
        response.writeHead(302, { Location: target }).end();
        return;
      }
      const document = this.#document(path);
      response.writeHead(document === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
      response.end(typeof document === 'string' ? document : JSON.stringify(document ?? {}));
    });
  }

  #document(path: string): unknown {
    if (path === '/keys') return this.keySet ?? { keys: this.keys.map((key) => key.jwk) };
    if (path !== `/.well-known/oauth-authorization-server${this.path}`) return undefined;
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      registration_endpoint: `${this.url}/register`,
      jwks_uri: this.jwksUrl,
      ...this.metadata,
    };
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port; // it listens on a port
  }
}
