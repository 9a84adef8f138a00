import { type DefinedServer, type DefineOptions, defineServer } from '@rootbound/kit/serve';
import { LazyQueries } from './canned/lazy.ts';
import { catalog } from './catalog.ts';
import { createMissing } from './databases/create.ts';
import { insightsMemo, insightsUri } from './insights/resource.ts';
import { instructionsFor } from './instructions.ts';
import { type LaneLimits, usualLimits } from './lanes/limits.ts';
import { promptsFor } from './prompts.ts';
import { resources } from './resources.ts';
import { formerNames, type SqliteExtras, toolsets, version } from './spec.ts';
import type { Workspace } from './workspace.ts';

/** The options of the command line that make a server, and those of tests. */
export interface SqliteOptions extends DefineOptions<SqliteExtras> {
  /** other limits than the usual ones */
  limits?: Partial<LaneLimits>;
  /** the built module that lanes run */
  laneFile?: string;
  /** the built module that draws charts */
  chartFile?: string;
}

/** Creates the SQLite server for these options. */
export function createSqliteServer(options: SqliteOptions): DefinedServer<Workspace> {
  const { readOnly, extra = {}, laneFile, chartFile } = options;
  if (!readOnly) for (const path of extra['db-path'] ?? []) createMissing(path);
  return defineServer<Workspace>({ ...options, formerNames }, (parts) => {
    const { offers, resourcesChanged: listChanged, onError } = parts;
    const offersNow = (tool: string): boolean =>
      offers(tool) && (!readOnly || toolsets.read.some((name) => name === tool));
    const engine = parts.lazily(
      async () =>
        new (await import('./engine.ts')).Engine({ laneFile, chartFile, limits: limitsOf(options) }),
    );
    const watching = parts.lazily(async () => {
      const { Watching } = await import('./watching/watching.ts');
      return new Watching(await engine.load(), { listChanged, onError });
    });
    const canned =
      extra.queries === undefined
        ? undefined
        : parts.closing(
            new LazyQueries({
              file: extra.queries,
              fixed: catalog,
              scope: () => parts.boundary.operatorScope(),
              engine: () => engine.load(),
              changed: () => parts.listChanged('tools'),
              report: onError,
            }),
          );
    return {
      name: 'rootbound-sqlite',
      title: 'Rootbound SQLite',
      version,
      description: 'SQLite databases below the roots, queried in processes that can be stopped',
      instructions: instructionsFor({ readOnly, offers }),
      tools: canned?.catalog ?? catalog,
      offers: (tool) => canned?.has(tool) === true || offers(tool),
      listChanges: { tools: canned !== undefined },
      prompts: promptsFor(offersNow),
      resources: [insightsMemo, ...resources],
      listResources: async (context) => {
        await (await watching.load()).follow(context.scope);
        return (await import('./resources/listing.ts')).listResources(context);
      },
      watch: async (uri, { scope: workspace }, changed) => {
        if (uri === insightsUri) return workspace.engine.insights.watch(workspace.owner, changed);
        return (await watching.load()).watch(uri, workspace, changed);
      },
      watching,
      engine,
      workspace: ({ scope, maxOutput, owner }) =>
        engine.use((loaded) => ({ scope, maxOutput, owner, engine: loaded })),
    };
  });
}

function limitsOf({ extra = {}, limits }: SqliteOptions): LaneLimits {
  const seconds = extra['query-timeout'];
  const { deadlineMs, busyMs } = usualLimits;
  const whole = seconds === undefined ? deadlineMs : seconds * 1000;
  // less than the limit of a call, so that a call that waits for a lock reports the lock and not the limit
  return { ...usualLimits, deadlineMs: whole, busyMs: Math.min(busyMs, whole / 2), ...limits };
}
