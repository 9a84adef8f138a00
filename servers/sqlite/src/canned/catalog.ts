import type { ToolCatalog } from '@rootbound/protocol';

/** One catalog of the tools that are always there and of those that come and go. */
export function joinCatalogs<S>(
  fixed: ToolCatalog<S>,
  current: () => Promise<ToolCatalog<S>>,
): ToolCatalog<S> {
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
