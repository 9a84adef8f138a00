import { type DefinedServer, type DefineOptions, defineServer } from '@rootbound/kit/serve';
import { catalog } from './catalog.ts';
import { instructionsFor } from './instructions.ts';
import { promptsFor } from './prompts.ts';
import { resources } from './resources.ts';
import { type FetchExtras, toolsets, version } from './spec.ts';
import type { Workspace } from './workspace.ts';

const USUAL_INTERVAL_S = 60;
/** Clients that list pages again after each notice do so at most this often. */
const LIST_PAUSE_MS = 100;
/** Tools that need a browser. */
const pictures = toolsets.browser;

/** The options of the command line that make a server, and those of tests. */
export interface FetchOptions extends DefineOptions<FetchExtras> {
  /** the built worker that parses pages */
  readerFile?: string;
}

/** Creates the fetch server for these options. */
export function createFetchServer(options: FetchOptions): DefinedServer<Workspace> {
  const { readOnly, extra = {}, readerFile } = options;
  return defineServer<Workspace>(options, ({ boundary, lazily, resourcesChanged, onError, ...parts }) => {
    const renders = extra.browser !== undefined;
    const offers = (tool: string): boolean =>
      parts.offers(tool) && (renders || !pictures.some((name) => name === tool));
    const engine = lazily(async () =>
      (await import('./engine.ts')).Engine.open({
        extra,
        version,
        readerFile,
        pagesChanged: resourcesChanged,
      }),
    );
    const leastMs = (extra['watch-interval'] ?? USUAL_INTERVAL_S) * 1000;
    const watching = lazily(
      async () => new (await import('./watching/watching.ts')).Watching({ leastMs, onError }),
    );
    return {
      name: 'rootbound-fetch',
      title: 'Rootbound Fetch',
      version,
      description: 'Pages of the web as text, within what the operator allows',
      instructions: instructionsFor({ readOnly, renders, offers }),
      tools: catalog,
      offers,
      prompts: promptsFor(offers),
      resources,
      listResources: async (context) => (await import('./resources/listing.ts')).listPages(context),
      resourcesPauseMs: LIST_PAUSE_MS,
      watch: async (uri, { scope: workspace }, changed) =>
        (await watching.load()).watch(uri, workspace, changed),
      engine,
      workspace: ({ scope, maxOutput, owner }) =>
        engine.use((loaded) => ({ scope, maxOutput, owner, engine: loaded })),
      // downloads of a killed process may have left temporary files
      afterStart:
        offers('download') && !readOnly
          ? async () => (await import('./downloading/leftovers.ts')).sweepStaging(boundary.operatorScope())
          : undefined,
    };
  });
}
