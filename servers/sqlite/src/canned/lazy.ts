import type { Scope } from '@rootbound/kit/boundary';
import type { ToolCatalog } from '@rootbound/protocol';
import type { Engine } from '../engine.ts';
import type { Workspace } from '../workspace.ts';
import type { CannedQueries } from './queries.ts';

export interface LazyQueriesOptions {
  readonly file: string;
  /** the tools of the server itself */
  readonly fixed: ToolCatalog<Workspace>;
  readonly scope: () => Scope;
  readonly engine: () => Promise<Engine>;
  readonly changed: () => void;
  readonly report: (problem: unknown) => void;
}

/**
 * The canned queries beside the server's own tools. Their code is loaded only if the operator has named a file of them.
 */
export class LazyQueries {
  readonly catalog: ToolCatalog<Workspace>;
  readonly #loading: Promise<CannedQueries>;
  #loaded: CannedQueries | undefined;

  constructor(options: LazyQueriesOptions) {
    this.#loading = this.#load(options);
    this.#loading.catch(options.report);
    this.catalog = joinCatalogs(options.fixed, async () => (await this.#loading).current());
  }

  /** Returns whether the tool of this name is a canned query. */
  has(name: string): boolean {
    return this.#loaded?.has(name) === true;
  }

  async close(): Promise<void> {
    await (await this.#loading).close();
  }

  async #load({ file, fixed, scope, engine, changed, report }: LazyQueriesOptions): Promise<CannedQueries> {
    const [{ CannedQueries }, { tryOut }] = await Promise.all([
      import('./queries.ts'),
      import('./try-out.ts'),
    ]);
    const taken = new Set((await fixed.entries()).map(({ name }) => name));
    this.#loaded = new CannedQueries({
      file,
      taken,
      tryOut: async (query) => tryOut(query, scope(), await engine()),
      changed,
      report,
    });
    return this.#loaded;
  }
}

/** Returns a catalog of fixed tools and of those that `current` returns at the moment. */
function joinCatalogs<S>(fixed: ToolCatalog<S>, current: () => Promise<ToolCatalog<S>>): ToolCatalog<S> {
  return {
    async entries() {
      return [...(await fixed.entries()), ...(await (await current()).entries())];
    },
    async texts(variant) {
      return { ...(await fixed.texts(variant)), ...(await (await current()).texts(variant)) };
    },
    async load(name) {
      const live = await current();
      const isLive = (await live.entries()).some((entry) => entry.name === name);
      return isLive ? live.load(name) : fixed.load(name);
    },
  };
}
