import type { Scope } from '@rootbound/kit/boundary';
import type { ToolCatalog } from '@rootbound/protocol';
import type { Engine } from '../engine.ts';
import type { Workspace } from '../workspace.ts';
import type { CannedQueries } from './queries.ts';

export interface LazyQueriesOptions {
  readonly file: string;
  /** the server's own tools */
  readonly fixed: ToolCatalog<Workspace>;
  readonly scope: () => Scope;
  readonly engine: () => Promise<Engine>;
  readonly changed: () => void;
  readonly report: (problem: unknown) => void;
}

/** The operator's queries beside the server's own tools; what knows them is loaded only where there is a file of them. */
export class LazyQueries {
  readonly catalog: ToolCatalog<Workspace>;
  readonly #loading: Promise<CannedQueries>;
  #loaded: CannedQueries | undefined;

  constructor(options: LazyQueriesOptions) {
    this.#loading = this.#load(options);
    this.#loading.catch(options.report);
    this.catalog = joinCatalogs(options.fixed, async () => (await this.#loading).current());
  }

  /** Whether a tool of this name is one of the operator's queries. */
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

/** One catalog of the tools that are always there and of those that come and go. */
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
