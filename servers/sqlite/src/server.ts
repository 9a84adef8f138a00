import { Boundary, type Containment, type Scope } from '@rootbound/kit/boundary';
import { Scopes, together } from '@rootbound/kit/call';
import { deniedBy, type ServeOptions } from '@rootbound/kit/cli';
import { defined } from '@rootbound/kit/primitives';
import { createServer, type Server } from '@rootbound/protocol';
import { LazyQueries } from './canned/lazy.ts';
import { catalog } from './catalog.ts';
import { createMissing } from './databases/create.ts';
import type { Engine } from './engine.ts';
import { insightsMemo, insightsUri } from './insights/resource.ts';
import { instructionsFor } from './instructions.ts';
import { type LaneLimits, usualLimits } from './lanes/limits.ts';
import { promptsFor } from './prompts.ts';
import { resources } from './resources.ts';
import { formerNames, type SqliteExtras, toolsets, version } from './spec.ts';
import { LazyWatching } from './watching/lazy.ts';
import type { Workspace } from './workspace.ts';

/** Items of one page of a list: those of resources take about 300 bytes each. */
const PAGE_SIZE = 250;

/** An SQLite server and what has to be closed after it. */
export interface SqliteServer {
  server: Server<Workspace>;
  close(): Promise<void>;
}

/** The options of the command line that make a server. */
export type SqliteOptions = Pick<
  ServeOptions,
  'roots' | 'readOnly' | 'tools' | 'clientRoots' | 'maxOutput'
> & {
  /** the options that only this server has; those left out are off */
  extra?: Partial<SqliteExtras>;
  /** how handles are verified: the strongest way that this machine has, unless given */
  containment?: Containment;
  /** other limits than the usual ones */
  limits?: Partial<LaneLimits>;
  /** the built module that lanes run */
  laneFile?: string;
  /** the built module that draws charts */
  chartFile?: string;
  /** faults in the background, one line each */
  onError?: (error: unknown) => void;
};

/** The SQLite server for these options; transports serve it. */
export function createSqliteServer(options: SqliteOptions): SqliteServer {
  const { maxOutput, readOnly, extra = {}, onError = () => {} } = options;
  if (!readOnly) for (const path of extra['db-path'] ?? []) createMissing(path);
  const boundary = new Boundary({
    roots: readOnly ? options.roots.map((root) => ({ ...root, readOnly: true })) : options.roots,
    policy: options.clientRoots,
    readOnly,
    deny: deniedBy(extra).globs,
    ...defined({ containment: options.containment }),
  });
  let engine: Engine | undefined;
  let loading: Promise<Engine> | undefined;
  /** All that knows SQLite is loaded with the first call. */
  const load = (): Promise<Engine> => {
    loading ??= import('./engine.ts').then((loaded) => {
      engine = new loaded.Engine({
        laneFile: options.laneFile,
        chartFile: options.chartFile,
        limits: limitsOf(options),
      });
      return engine;
    });
    return loading;
  };
  const resourcesChanged = together(() => server.listChanged('resources'));
  const watching = new LazyWatching({ listChanged: resourcesChanged, onError });
  const scopes = new Scopes(boundary, () => {
    resourcesChanged();
    watching.lookAgain();
  });
  const offered = new Set(options.tools);
  const offers = (tool: string): boolean => offered.has(formerNames[tool] ?? tool);
  const reading: readonly string[] = toolsets.read;
  const offersNow = (tool: string): boolean => offers(tool) && (!readOnly || reading.includes(tool));
  const canned =
    extra.queries === undefined
      ? undefined
      : new LazyQueries({
          file: extra.queries,
          fixed: catalog,
          scope: () => boundary.operatorScope(),
          engine: load,
          changed: () => server.listChanged('tools'),
          report: onError,
        });
  const server: Server<Workspace> = createServer<Workspace>({
    name: 'rootbound-sqlite',
    title: 'Rootbound SQLite',
    version,
    description: 'SQLite databases below the roots, queried in processes that can be stopped',
    instructions: instructionsFor({ readOnly, offers }),
    tools: canned?.catalog ?? catalog,
    offers: ({ name, annotations }) =>
      (canned?.has(name) === true || offers(name)) && (!readOnly || annotations.readOnlyHint === true),
    listChanges: { tools: canned !== undefined, resources: true },
    pageSize: PAGE_SIZE,
    resources: [insightsMemo, ...resources],
    listResources: async (context) => {
      await (await watching.load(context.scope)).follow(context.scope);
      return (await import('./resources/listing.ts')).listResources(context);
    },
    watch: async (uri, { scope: workspace }, changed) => {
      if (uri === insightsUri) return workspace.engine.insights.watch(workspace.owner, changed);
      return (await watching.load(workspace)).watch(uri, workspace, changed);
    },
    prompts: promptsFor(offersNow),
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
  const close = async (): Promise<void> => {
    resourcesChanged.cancel();
    await canned?.close();
    await watching.close();
    await (await loading)?.close();
  };
  return { server, close };
}

function limitsOf({ extra = {}, limits }: SqliteOptions): LaneLimits {
  const seconds = extra['query-timeout'];
  const { deadlineMs, busyMs } = usualLimits;
  const whole = seconds === undefined ? deadlineMs : seconds * 1000;
  // a lock that does not come free is told as that, so it is waited for less long than the call may take
  return { ...usualLimits, deadlineMs: whole, busyMs: Math.min(busyMs, whole / 2), ...limits };
}
