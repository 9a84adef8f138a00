import { createServer, type Server, type ServerOptions } from '@rootbound/protocol';
import { Boundary } from '../boundary/boundary.ts';
import type { Containment, Scope } from '../boundary/scope/scope.ts';
import { Scopes } from '../call/scopes.ts';
import { together } from '../call/together.ts';
import { type DenyExtras, deniedBy } from '../cli/denials.ts';
import type { ServeOptions } from '../cli/options.ts';
import { defined } from '../primitives/defined.ts';
import { Lazy } from '../primitives/lazy.ts';

/** Items of one page of a list: resources take about 300 bytes each. */
const PAGE_SIZE = 250;
/** Milliseconds after the start in which clients get their first answers. */
const AFTER_START_MS = 500;

type Shared = Pick<ServeOptions, 'roots' | 'readOnly' | 'tools' | 'clientRoots' | 'maxOutput'>;

/** The options of the command line that decide how a server is made; `Extra` has those of this server alone. */
export interface DefineOptions<Extra> extends Shared {
  /** options that are left out are off, or have the default of the help */
  readonly extra?: Partial<Extra>;
  /** the verification of handles: by default the strongest that this machine has */
  readonly containment?: Containment;
  /** called with errors of background work */
  readonly onError?: (error: unknown) => void;
}

/** Names that can be called and are not listed, each with the tool that has replaced it. */
export interface FormerNames {
  readonly formerNames?: Readonly<Record<string, string>>;
}

/** A part of a server that is closed with it. */
export interface Closable {
  close(): void | Promise<void>;
}

/** The parts that `defineServer` makes for each server. */
export interface ServerParts {
  readonly boundary: Boundary;
  readonly onError: (error: unknown) => void;
  /** checks now whether a root of the operator has appeared or vanished */
  lookAtRoots(): void;
  /** whether the operator's options offer a tool, by its name or a former one; `--read-only` is not considered */
  offers(tool: string): boolean;
  /** announces a change of the resources, once for all changes of one turn of the event loop */
  resourcesChanged(): void;
  listChanged(list: 'tools' | 'prompts'): void;
  /** returns the part; it is closed with the server, before all that were given earlier */
  closing<T extends Closable>(part: T): T;
  /** returns a part that is loaded at its first use; it is closed with the server if it was loaded */
  lazily<T extends Closable>(load: () => Promise<T>): Lazy<T>;
}

/** The facts of one call that each server needs. */
export interface CallFacts {
  /** the permitted paths */
  readonly scope: Scope;
  /** bytes of one half of a result at most */
  readonly maxOutput: number;
  /** the authenticated principal; empty without authentication */
  readonly owner: string;
}

/** The properties of one server; `W` is the workspace of its calls. */
export interface Definition<W>
  extends Omit<ServerOptions<W>, 'offers' | 'scope' | 'scopeAsks' | 'onError'>,
    FormerNames {
  /** the workspace of one call; members are named, since a spread makes a short call slower by several percent */
  readonly workspace: (call: CallFacts) => W | Promise<W>;
  /** whether a tool is offered, where that is not `ServerParts.offers` */
  readonly offers?: (tool: string) => boolean;
  /** loads with the first call, also while its client answers with its roots */
  readonly engine?: Lazy<unknown>;
  /** watches resources below the roots, and looks again after the roots have changed */
  readonly watching?: Lazy<{ lookAgain(): void }>;
  /** milliseconds between two notices that the resources have changed */
  readonly resourcesPauseMs?: number;
  /** runs half a second after the start, when the first answers are out */
  readonly afterStart?: (() => Promise<unknown>) | undefined;
}

/** A server, and the function that closes it with all that it has loaded. */
export interface DefinedServer<W> extends Closable {
  readonly server: Server<W>;
  close(): Promise<void>;
}

/**
 * Creates a server that stays below the roots of its command line: calls get the operator's roots, narrowed by those
 * of their client, without denied names; under `--read-only` only tools with a `readOnlyHint` are offered.
 * @example
 * const create = (options: DefineOptions<DenyExtras>) =>
 *   defineServer<CallFacts>(options, () => ({ name: 'sums', version: '1.0.0', tools, workspace: (call) => call }));
 */
export function defineServer<W>(
  options: DefineOptions<DenyExtras> & FormerNames,
  define: (parts: ServerParts) => Definition<W>,
): DefinedServer<W> {
  const { readOnly, maxOutput, extra = {}, formerNames = {}, onError = () => {} } = options;
  const boundary = new Boundary({
    roots: readOnly ? options.roots.map((root) => ({ ...root, readOnly })) : options.roots,
    policy: options.clientRoots,
    readOnly,
    deny: deniedBy(extra).globs,
    ...defined({ containment: options.containment }),
  });
  const offered = new Set(options.tools);
  const closers: (() => unknown)[] = [];
  const closing = <T extends Closable>(part: T): T => {
    closers.unshift(() => part.close());
    return part;
  };
  const parts: ServerParts = {
    boundary,
    onError,
    closing,
    offers: (tool) => offered.has(formerNames[tool] ?? tool),
    lookAtRoots: () => scopes.lookAtRoots(),
    resourcesChanged: () => resourcesChanged(),
    listChanged: (list) => server.listChanged(list),
    lazily<T extends Closable>(load: () => Promise<T>) {
      const part = new Lazy(load);
      closing({ close: async () => (await part.settled())?.close() });
      return part;
    },
  };
  const { workspace, offers = parts.offers, engine, watching, ...given } = define(parts);
  const { resourcesPauseMs, afterStart, listChanges, ...definition } = given;
  const resourcesChanged = together(() => server.listChanged('resources'), resourcesPauseMs);
  const scopes = new Scopes(boundary, () => {
    if (watching === undefined) return;
    resourcesChanged();
    watching
      .settled()
      .then((loaded) => loaded?.lookAgain())
      .catch(onError);
  });
  const server: Server<W> = createServer<W>({
    pageSize: PAGE_SIZE,
    ...definition,
    listChanges: { resources: true, ...listChanges },
    offers: ({ name, annotations }) => offers(name) && (!readOnly || annotations.readOnlyHint === true),
    scopeAsks: scopes.asks,
    scope: (request) => {
      const owner = request.facts.principal ?? '';
      const scope = scopes.scopeOf(request);
      if (!(scope instanceof Promise)) return workspace({ scope, maxOutput, owner });
      // a failure is reported where the workspace uses the engine
      engine?.load().catch(() => {});
      return scope.then((settled) => workspace({ scope: settled, maxOutput, owner }));
    },
    onError,
  });
  const timer = afterStart && setTimeout(() => void afterStart().catch(onError), AFTER_START_MS).unref();
  const close = async (): Promise<void> => {
    clearTimeout(timer);
    resourcesChanged.cancel();
    for (const closePart of closers) await closePart();
  };
  return { server, close };
}
