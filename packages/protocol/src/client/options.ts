import type { Params } from '../jsonrpc/message.ts';
import type { RequestOptions } from '../jsonrpc/peer.ts';
import type { Revision } from '../protocol/revisions.ts';
import { isHandshakeRevision, isStatelessRevision, newestHandshakeRevision } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { ResultCache } from './cache.ts';
import type { ElicitationProvider, ProviderContext, Providers, SamplingProvider } from './providers.ts';

/**
 * Which era to talk: found out by a probe, the handshake, or a stateless revision without a probe.
 * @example const era: EraChoice = 'auto';
 */
export type EraChoice = 'auto' | Verdict;

/**
 * What a probe found out; given back as `era`, it saves the next probe of the same server.
 * @example
 * const verdict: Verdict = client.verdict;
 * const again = await connect(transport, { name: 'example', version: '1.0.0', era: verdict });
 * await again.close();
 */
export type Verdict = 'handshake' | { pinned: Revision };

/**
 * What one request of a client may be told besides its params.
 * @example
 * const options: ClientRequestOptions = { timeout: 5000, fresh: true };
 * const tools = await client.listTools(options);
 */
export interface ClientRequestOptions extends RequestOptions {
  /** asks the server though a kept result is still fresh; the new one takes its place */
  fresh?: boolean;
}

/**
 * How a connection that was lost is opened again.
 * @example
 * const reopen: ReopenOptions = { attempts: 10, delay: 1000 };
 * const lasting = await connect(transport, { name: 'example', version: '1.0.0', reopen });
 * await lasting.close();
 */
export interface ReopenOptions {
  /** most attempts until a request is answered again; default 5 */
  attempts?: number;
  /** milliseconds before the second attempt, doubled for each further one up to 30 s; default 200 */
  delay?: number;
}

/**
 * How a client presents itself, what it offers servers, and how patient it is.
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
  /** the handshake revision to ask for; the server may answer with another. Default the newest */
  revision?: Revision;
  /** the folders that the server may work in; `file://` URIs */
  roots?: Providers['roots'];
  /** asks the client's model; a function takes neither tools nor context */
  sampling?: SamplingProvider | SamplingProvider['createMessage'];
  /** asks the user; a function answers both forms and URLs */
  elicitation?:
    | ElicitationProvider
    | ((params: t.ElicitRequestParams, context: ProviderContext) => t.ElicitResult | Promise<t.ElicitResult>);
  /** lets a server of 2025-11-25 have its questions answered as tasks, in their own time; `{}` takes the defaults */
  tasks?: Providers['tasks'];
  /** log messages below it are not wanted; without it a handshake server decides and a stateless one sends none */
  logLevel?: t.LoggingLevel;
  /** milliseconds that a request may go without an answer or progress; default 60,000 */
  timeout?: number;
  /** milliseconds that a request may take however much progress it makes; default one hour */
  maxTimeout?: number;
  /** milliseconds that the probe of `auto` waits before it takes the server for one of the handshake; default 5,000 */
  probeTimeout?: number;
  /**
   * where results are kept as long as the server says they are fresh; false keeps none. Default a cache of this client
   * alone. Only clients of the same server may share one.
   */
  cache?: ResultCache | false;
  /**
   * opens a connection that was lost again, such as that of a process that died: shakes hands, restores subscriptions
   * and tells their listeners that everything has changed. Requests that were open fail, except lists and reads, which
   * are asked once more. Default false
   */
  reopen?: boolean | ReopenOptions;
  /** ends the attempt to connect */
  signal?: AbortSignal;
  /** hears every notification of the server */
  onNotification?: (method: string, params: Params) => void;
  /** hears of faults that no caller waits for; default writes them to stderr */
  onError?: (error: Error) => void;
  /** hears once, with the reason, that the connection is over */
  onClose?: (reason: string) => void;
  /** hears, with the reason why it was lost, that a connection is open again */
  onReopen?: (reason: string) => void;
}

/** Options with every default in place. */
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

/** Checks options and fills in what was left out. */
export function normalise(options: ClientOptions): Settings {
  const { era = 'auto', revision = newestHandshakeRevision } = options;
  const wanted: string = revision;
  if (!isHandshakeRevision(wanted)) {
    throw new TypeError(`revision ${wanted} has no handshake; pin it with era`);
  }
  const pinned: string | undefined = typeof era === 'object' ? era.pinned : undefined;
  if (pinned !== undefined && !isStatelessRevision(pinned)) {
    throw new TypeError(`era cannot pin ${pinned}, which has a handshake; name it as revision`);
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
    throw new TypeError('reopen.attempts must be a whole number from 1');
  if (!(delay >= 0)) throw new TypeError('reopen.delay must be milliseconds from 0');
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
