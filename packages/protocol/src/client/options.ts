import type { Params } from '../jsonrpc/message.ts';
import type { RequestOptions } from '../jsonrpc/peer.ts';
import type { Revision } from '../protocol/revisions.ts';
import { isHandshakeRevision, isStatelessRevision, newestHandshakeRevision } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { ResultCache } from './cache.ts';
import type { ElicitationProvider, ProviderContext, Providers, SamplingProvider } from './providers.ts';

/**
 * The era to use: `auto` probes for it; or the handshake, or one stateless revision, without a probe.
 * @example const era: EraChoice = 'auto';
 */
export type EraChoice = 'auto' | Verdict;

/**
 * The result of a probe; as `era` it saves the next probe of the same server.
 * @example
 * const verdict: Verdict = client.verdict;
 * const again = await connect(transport, { name: 'example', version: '1.0.0', era: verdict });
 * await again.close();
 */
export type Verdict = 'handshake' | { pinned: Revision };

/**
 * Options of one request of a client.
 * @example
 * const options: ClientRequestOptions = { timeout: 5000, fresh: true };
 * const tools = await client.listTools(options);
 */
export interface ClientRequestOptions extends RequestOptions {
  /** sends the request even if a cached result is fresh; the new result replaces it */
  fresh?: boolean;
}

/**
 * Options for reopening a lost connection.
 * @example
 * const reopen: ReopenOptions = { attempts: 10, delay: 1000 };
 * const lasting = await connect(transport, { name: 'example', version: '1.0.0', reopen });
 * await lasting.close();
 */
export interface ReopenOptions {
  /** maximum number of attempts until a request succeeds again; default 5 */
  attempts?: number;
  /** milliseconds before the second attempt, doubled for each further one up to 30 s; default 200 */
  delay?: number;
}

/**
 * Options of a client.
 * @example
 * const options: ClientOptions = { name: 'example', version: '1.0.0', timeout: 10_000, roots: () => [] };
 * const patient = await connect(transport, options);
 * await patient.close();
 */
export interface ClientOptions {
  name: string;
  version: string;
  title?: string;
  description?: string;
  websiteUrl?: string;
  icons?: t.Icon[];
  /** default `auto` */
  era?: EraChoice;
  /** the handshake revision to request; the server may respond with another. Default the newest */
  revision?: Revision;
  /** the folders that the server may use; `file://` URIs */
  roots?: Providers['roots'];
  /** calls the client's model; a function accepts neither tools nor context */
  sampling?: SamplingProvider | SamplingProvider['createMessage'];
  /** asks the user; a function handles both forms and URLs */
  elicitation?:
    | ElicitationProvider
    | ((params: t.ElicitRequestParams, context: ProviderContext) => t.ElicitResult | Promise<t.ElicitResult>);
  /** lets a server of 2025-11-25 have its requests answered as tasks; `{}` uses the defaults */
  tasks?: Providers['tasks'];
  /** the lowest level of log messages; without it a handshake server decides and a stateless one sends none */
  logLevel?: t.LoggingLevel;
  /** milliseconds without a response or progress after which a request fails; default 60,000 */
  timeout?: number;
  /** milliseconds after which a request fails even if it makes progress; default one hour */
  maxTimeout?: number;
  /** milliseconds that the probe of `auto` waits before it falls back to the handshake; default 5,000 */
  probeTimeout?: number;
  /**
   * a cache for results, as long as the server declares them fresh; false disables caching. Default a cache
   * of this client alone. Only clients of the same server may share one.
   */
  cache?: ResultCache | false;
  /**
   * reopens a lost connection, such as that of a process that died: negotiates again, restores subscriptions
   * and reports every subscribed change. Open requests fail, except lists and reads, which are sent once
   * more. Default false
   */
  reopen?: boolean | ReopenOptions;
  /** ends the attempt to connect */
  signal?: AbortSignal;
  /** called with every notification of the server */
  onNotification?: (method: string, params: Params) => void;
  /** called with faults that fail no call; default writes them to stderr */
  onError?: (error: Error) => void;
  /** called once, with the reason, when the client is closed */
  onClose?: (reason: string) => void;
  /** called when a connection is reopened, with the reason why it was lost */
  onReopen?: (reason: string) => void;
}

/** Client options with all defaults set. */
export interface Settings {
  readonly info: t.Implementation;
  readonly era: EraChoice;
  readonly revision: Revision;
  readonly providers: Providers;
  readonly logLevel: t.LoggingLevel | undefined;
  readonly timeout: number;
  readonly maxTimeout: number;
  readonly probeTimeout: number;
  readonly cache: ResultCache | undefined;
  readonly reopen: Readonly<Required<ReopenOptions>> | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onNotification: (method: string, params: Params) => void;
  readonly onError: (error: Error) => void;
  readonly onClose: (reason: string) => void;
  readonly onReopen: (reason: string) => void;
}

/** Validates client options and adds the defaults. */
export function normalise(options: ClientOptions): Settings {
  const { era = 'auto', revision = newestHandshakeRevision } = options;
  const wanted: string = revision;
  if (!isHandshakeRevision(wanted)) {
    throw new TypeError(`revision ${wanted} has no handshake; set era to { pinned: '${wanted}' }`);
  }
  const pinned: string | undefined = typeof era === 'object' ? era.pinned : undefined;
  if (pinned !== undefined && !isStatelessRevision(pinned)) {
    throw new TypeError(`era cannot pin ${pinned}, which has a handshake; set revision instead`);
  }
  return Object.freeze({
    info: infoOf(options),
    era,
    revision,
    providers: providersOf(options),
    logLevel: options.logLevel,
    timeout: options.timeout ?? 60_000,
    maxTimeout: options.maxTimeout ?? 3_600_000,
    probeTimeout: options.probeTimeout ?? 5000,
    cache: options.cache === false ? undefined : (options.cache ?? new ResultCache()),
    reopen: reopenOf(options.reopen ?? false),
    signal: options.signal,
    onNotification: options.onNotification ?? (() => {}),
    onError: options.onError ?? ((error) => void process.stderr.write(`${options.name}: ${error.message}\n`)),
    onClose: options.onClose ?? (() => {}),
    onReopen: options.onReopen ?? (() => {}),
  });
}

function reopenOf(reopen: boolean | ReopenOptions): Settings['reopen'] {
  if (reopen === false) return undefined;
  const { attempts = 5, delay = 200 } = reopen === true ? {} : reopen;
  if (!Number.isInteger(attempts) || attempts < 1)
    throw new TypeError('reopen.attempts must be an integer of at least 1');
  if (!(delay >= 0)) throw new TypeError('reopen.delay must be at least 0 (milliseconds)');
  return { attempts, delay };
}

function infoOf({ name, version, title, description, websiteUrl, icons }: ClientOptions): t.Implementation {
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && { icons }),
  };
}

function providersOf({ roots, sampling, elicitation, tasks }: ClientOptions): Providers {
  return {
    ...(roots !== undefined && { roots }),
    ...(tasks !== undefined && { tasks }),
    ...(sampling !== undefined && {
      sampling: typeof sampling === 'function' ? { createMessage: sampling } : sampling,
    }),
    ...(elicitation !== undefined && {
      elicitation: typeof elicitation === 'function' ? { form: elicitation, url: elicitation } : elicitation,
    }),
  };
}
