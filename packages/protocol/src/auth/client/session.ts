import type { ChallengedResponse, ClientAuth } from '../client-auth.ts';
import { canonicalResource } from '../urls.ts';
import { type Demand, readDemand } from './challenge.ts';
import { discover, rediscover, type Target } from './discover.ts';
import { DPOP_ALGORITHM, DpopKey, nonceOf, readNonce } from './dpop.ts';
import { AuthorizationError } from './error.ts';
import type { Grant } from './grant.ts';
import type { Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import { type Binding, Records, type Tokens } from './records.ts';
import { refreshTokens } from './refresh.ts';
import { lackingScopes } from './scopes.ts';
import type { CredentialStore } from './store.ts';
import { isExpired, isStale, readTokens } from './tokens.ts';
import { Upgrades } from './upgrades.ts';

/** The settings of a session with all defaults. */
export interface SessionSettings {
  readonly grant: Grant;
  /** the server that the credentials are for; by default the first that is requested */
  readonly server: URL | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly store: CredentialStore;
  /** undefined lets the servers decide */
  readonly dpop: boolean | undefined;
  readonly net: Net;
}

/** One refused request. */
interface Refusal {
  readonly server: URL;
  readonly revision: string | undefined;
  readonly demand: Demand;
  readonly attempt: number;
  /** the token that was refused; undefined when none was sent */
  readonly token: string | undefined;
  /** the token is valid but lacks scopes */
  readonly insufficient: boolean;
}

/**
 * The maximum number of times that a request is sent: without a token, with a renewed one, with more scopes,
 * with a nonce.
 */
const MOST_ATTEMPTS = 4;

/** The credentials for one server: stores, renews and upgrades them, one flow at a time. */
export class Session implements ClientAuth {
  readonly #settings: SessionSettings;
  readonly #records: Records;
  readonly #upgrades = new Upgrades();
  #server: URL | undefined;
  #loading: Promise<void> | undefined;
  #flow: Promise<boolean> | undefined;
  #issuer: Issuer | undefined;
  #tokens: Tokens | undefined;
  /** the last token of a grant; if it is refused at once, no other is requested */
  #fresh: string | undefined;
  /** the last token of a refresh */
  #renewed: string | undefined;
  /** the new token that the server refused */
  #rejected: string | undefined;
  /** the server's last nonce for proofs */
  #nonce: string | undefined;

  constructor(settings: SessionSettings) {
    this.#settings = settings;
    this.#records = new Records(settings.store, settings.grant.name);
    this.#server = settings.server;
  }

  async headers({ method, url }: { method: string; url: URL }): Promise<Readonly<Record<string, string>>> {
    const server = this.#serverOf(url);
    await this.#load(server);
    if (this.#tokens === undefined) await this.#flow;
    if (this.#tokens !== undefined && isStale(this.#tokens)) await this.#renew(server);
    const tokens = this.#tokens;
    return tokens === undefined || isExpired(tokens) ? {} : this.#present(tokens, method, url);
  }

  async challenged(response: ChallengedResponse, attempt: number): Promise<boolean> {
    const { status, url, revision, sent } = response;
    const server = this.#serverOf(url);
    await this.#load(server);
    const demand = readDemand(response);
    const token = sent === undefined ? this.#tokens?.access : tokenOf(sent);
    const before = sent === undefined ? this.#nonce : nonceOf(sent.dpop);
    this.#nonce = readNonce(response.header('dpop-nonce')) ?? this.#nonce;
    if (attempt >= MOST_ATTEMPTS) return false;
    if (demand.error === 'use_dpop_nonce' && token !== undefined) {
      // the server has not checked the token, so it may be renewed when it is refused
      this.#fresh = undefined;
      return this.#nonce !== before;
    }
    const insufficient = status === 403 && demand.error === 'insufficient_scope';
    if (status !== 401 && !insufficient) return false;
    return this.#answer({ server, revision, demand, attempt, token, insufficient });
  }

  /**
   * Returns the server if the URL has its origin; throws otherwise, because credentials are sent to no other
   * server.
   */
  #serverOf(url: URL): URL {
    this.#server ??= new URL(url);
    if (url.origin === this.#server.origin) return this.#server;
    throw new AuthorizationError(
      'discovery',
      `these credentials are for ${this.#server.origin}; create others for ${url.origin}`,
    );
  }

  #load(server: URL): Promise<void> {
    this.#loading ??= this.#recall(server).catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #recall(server: URL): Promise<void> {
    const binding = await this.#records.binding(canonicalResource(server));
    if (binding !== undefined) this.#tokens = await this.#records.tokens(binding);
  }

  #present({ access, dpop }: Tokens, method: string, url: URL): Readonly<Record<string, string>> {
    if (dpop === undefined) return { authorization: `Bearer ${access}` };
    const proof = dpop.prove({ method, url, token: access, nonce: this.#nonce });
    return { authorization: `DPoP ${access}`, dpop: proof };
  }

  async #answer(refusal: Refusal): Promise<boolean> {
    const { token, attempt, insufficient } = refusal;
    for (;;) {
      if (this.#mayServe(refusal)) return true;
      if (this.#flow === undefined) break;
      await this.#flow;
    }
    if (token !== undefined && !insufficient) {
      if (attempt > 1 && token === this.#fresh) this.#rejected = token;
      if (token === this.#rejected) return false;
    }
    return this.#begin(() => this.#authorize(refusal));
  }

  /** Returns true if a token obtained since may be accepted where the refused one was not. */
  #mayServe({ token, demand, insufficient }: Refusal): boolean {
    const tokens = this.#tokens;
    if (tokens === undefined || tokens.access === token || isExpired(tokens)) return false;
    return !insufficient || lackingScopes(demand.scopes ?? [], tokens.granted).length === 0;
  }

  #begin(work: () => Promise<boolean>): Promise<boolean> {
    const flow = work().finally(() => {
      this.#flow = undefined;
    });
    this.#flow = flow;
    return flow;
  }

  async #authorize(refusal: Refusal): Promise<boolean> {
    const { server, demand, revision, insufficient } = refusal;
    const { net, grant, scopes: configured } = this.#settings;
    const preferred = [...grant.issuers, ...(this.#tokens === undefined ? [] : [this.#tokens.issuer])];
    const target = await discover(net, { server, demand, revision, preferred });
    const { issuer, resource } = target;
    this.#issuer = issuer;
    const held = await this.#loadTokens(bindingOf(target));
    if (this.#mayServe(refusal)) return true;
    if (held !== undefined && this.#isRenewable(refusal) && (await this.#refresh(held, server, issuer)))
      return true;
    const supported = resource.scopes;
    const scopes = this.#upgrades.next({ insufficient, demand, configured, supported, held });
    if (scopes === undefined) return false;
    const dpop = this.#keyFor(target, demand);
    const granted = await grant.obtain({ net, records: this.#records, target, scopes, dpop });
    const { answer, clientId, requested } = granted;
    this.#fresh = answer.access;
    await this.#keep(server, readTokens(answer, { binding: bindingOf(target), clientId, requested, dpop }));
    return true;
  }

  /** Returns the tokens of an issuer and a resource, also those that another process has stored. */
  async #loadTokens(binding: Binding): Promise<Tokens | undefined> {
    this.#tokens = await this.#records.tokens(binding);
    return this.#tokens;
  }

  /** Returns true if a refresh may help: not if scopes are missing, nor right after a refresh. */
  #isRenewable({ demand, attempt, token }: Refusal): boolean {
    return demand.error !== 'insufficient_scope' && !(attempt > 1 && token === this.#renewed);
  }

  #keyFor({ issuer, resource }: Target, demand: Demand): DpopKey | undefined {
    const { dpop } = this.#settings;
    const offered = issuer.dpopAlgorithms?.includes(DPOP_ALGORITHM) === true;
    if (offered && (dpop ?? (demand.dpop || resource.dpopOnly))) return DpopKey.create();
    if (dpop !== true) return undefined;
    throw new AuthorizationError(
      'discovery',
      `the authorization server does not support DPoP with ${DPOP_ALGORITHM}`,
    );
  }

  /** Renews tokens that expire soon; if that fails, they are used until they expire. */
  async #renew(server: URL): Promise<void> {
    while (this.#flow !== undefined) await this.#flow;
    const tokens = this.#tokens;
    if (tokens?.refresh === undefined || !isStale(tokens)) return;
    try {
      await this.#begin(() => this.#renewHeld(tokens, server));
    } catch (error) {
      if (isExpired(tokens)) throw error;
    }
  }

  async #renewHeld(tokens: Tokens, server: URL): Promise<boolean> {
    const held = await this.#loadTokens(tokens);
    if (held === undefined || !isStale(held)) return true;
    if (this.#issuer?.id !== held.issuer) {
      this.#issuer = await rediscover(this.#settings.net, server, held.issuer, held.self);
    }
    return this.#refresh(held, server, this.#issuer);
  }

  /** Returns true if there are new tokens; removes tokens that cannot be renewed. */
  async #refresh(tokens: Tokens, server: URL, issuer: Issuer): Promise<boolean> {
    const { net, grant } = this.#settings;
    const renewed = await refreshTokens({ net, grant, records: this.#records, issuer }, tokens);
    if (renewed !== undefined) await this.#keep(server, renewed);
    this.#renewed = renewed?.access;
    this.#tokens = renewed;
    return renewed !== undefined;
  }

  async #keep(server: URL, tokens: Tokens): Promise<void> {
    this.#tokens = tokens;
    await this.#records.keepTokens(canonicalResource(server), tokens);
  }
}

function bindingOf({ issuer, resource, self }: Target): Binding {
  return { issuer: issuer.id, resource: resource.id, self };
}

function tokenOf(sent: Readonly<Record<string, string>>): string | undefined {
  return sent.authorization?.split(' ')[1];
}
