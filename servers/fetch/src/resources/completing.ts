import { matching } from '@rootbound/kit/prompts';
import type { Complete } from '@rootbound/protocol';
import { newestOf } from '../pages/page-store.ts';
import type { Workspace } from '../workspace.ts';

/** Completes a value with the URLs of fetched pages, the newest first. */
export const completeSeen: Complete<Workspace> = (value, { scope: { engine, owner } }) => {
  const urls = engine.pages.list(owner).map((page) => newestOf(page).url);
  return matching([...new Set(urls.reverse())], value);
};
