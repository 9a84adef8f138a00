import { Boundary, type Containment, type Scope } from '@rootbound/kit/boundary';
import { Scopes, together } from '@rootbound/kit/call';
import { deniedBy, type ServeOptions } from '@rootbound/kit/cli';
import { defined } from '@rootbound/kit/primitives';
import { createServer, type Server } from '@rootbound/protocol';
import { catalog } from './catalog.ts';
import type { Engine } from './engine.ts';
import { instructionsFor } from './instructions.ts';
import { promptsFor } from './prompts.ts';
import { resources } from './resources.ts';
import { type FetchExtras, toolsets, version } from './spec.ts';
import { LazyWatching } from './watching/lazy.ts';
import type { Workspace } from './workspace.ts';

/** Items of one page of a list. */
const PAGE_SIZE = 250;
const USUAL_INTERVAL_S = 60;
/** Shortest interval between two notifications that the list of pages changed, ms. */
const LIST_PAUSE_MS = 100;
/** The tools that need a browser. */
const pictures = toolsets.browser;
/** Delay before temporary files are removed, so that the first requests are served first. */
const SWEEP_DELAY_MS = 500;

/** A fetch server, and the function that closes what it opened. */
export interface FetchServer {
  server: Server<Workspace>;
  close(): Promise<void>;
}

/** The command-line options of a server. */
export type FetchOptions = Pick<
  ServeOptions,
  'roots' | 'readOnly' | 'tools' | 'clientRoots' | 'maxOutput'
> & {
  /** the options of this server only; missing ones are off */
  extra?: Partial<FetchExtras>;
  /** how paths are confined to the roots; the strongest method of this machine unless given */
  containment?: Containment;
  /** the built worker that parses pages */
  readerFile?: string;
  /** called with errors of background work */
  onError?: (error: unknown) => void;
};

/** Creates the fetch server for these options. */
export function createFetchServer(options: FetchOptions): FetchServer {
  const { maxOutput, readOnly, extra = {}, onError = () => {} } = options;
  const boundary = new Boundary({
    roots: options.roots,
    policy: options.clientRoots,
    readOnly,
    deny: deniedBy(extra).globs,
    ...defined({ containment: options.containment }),
  });
  let engine: Engine | undefined;
  let loading: Promise<Engine> | undefined;
  /** Loads the code for HTTP and parsing with the first call. */
  const load = (): Promise<Engine> => {
    loading ??= import('./engine.ts').then(async (loaded) => {
      engine = await loaded.Engine.open({
        extra,
        version,
        readerFile: options.readerFile,
        pagesChanged: () => resourcesChanged(),
      });
      return engine;
    });
    // the next call tries again, for instance after a file was corrected
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const resourcesChanged = together(() => server.listChanged('resources'), LIST_PAUSE_MS);
  const leastMs = (extra['watch-interval'] ?? USUAL_INTERVAL_S) * 1000;
  const watching = new LazyWatching({ leastMs, onError });
  const scopes = new Scopes(boundary, () => {});
  const offered = new Set(options.tools);
  const renders = extra.browser !== undefined;
  const offers = (tool: string): boolean =>
    offered.has(tool) && (renders || !pictures.some((name) => name === tool));
  const server: Server<Workspace> = createServer<Workspace>({
    name: 'rootbound-fetch',
    title: 'Rootbound Fetch',
    version,
    description: 'Pages of the web as text, within what the operator allows',
    instructions: instructionsFor({ readOnly, renders, offers }),
    tools: catalog,
    offers: ({ name, annotations }) => offers(name) && (!readOnly || annotations.readOnlyHint === true),
    listChanges: { resources: true },
    pageSize: PAGE_SIZE,
    resources,
    listResources: async (context) => (await import('./resources/listing.ts')).listPages(context),
    watch: (uri, { scope: workspace }, changed) => watching.watch(uri, workspace, changed),
    prompts: promptsFor(offers),
    scopeAsks: scopes.asks,
    scope: (request) => {
      const owner = request.facts.principal ?? '';
      const scope = scopes.scopeOf(request);
      const workspace = (settled: Scope, loaded: Engine): Workspace => ({
        scope: settled,
        maxOutput,
        engine: loaded,
        owner,
      });
      if (!(scope instanceof Promise) && engine !== undefined) return workspace(scope, engine);
      return Promise.all([scope, load()]).then(([settled, loaded]) => workspace(settled, loaded));
    },
    onError,
  });
  const sweep = offers('download') && !readOnly ? sweepLater(boundary, onError) : undefined;
  const close = async (): Promise<void> => {
    clearTimeout(sweep);
    resourcesChanged.cancel();
    await watching.close();
    // a load that failed was reported to its caller
    await (await loading?.catch(() => undefined))?.close();
  };
  return { server, close };
}

/** Removes temporary files that downloads of killed processes left. */
function sweepLater(boundary: Boundary, onError: (error: unknown) => void): NodeJS.Timeout {
  const sweep = setTimeout(() => {
    import('./downloading/leftovers.ts')
      .then(({ sweepStaging }) => sweepStaging(boundary.operatorScope()))
      .catch(onError);
  }, SWEEP_DELAY_MS);
  return sweep.unref();
}
