import { newestOf, type Page } from '../pages/page-store.ts';
import type { Workspace } from '../workspace.ts';

const SCHEME = 'page:';

/** Returns the URI of a page. */
export function toPageUri({ id }: Page): string {
  return `${SCHEME}${id}`;
}

/** Returns the page that a URI names by its handle or URL; undefined if the owner has none. */
export function findPage(uri: string, { engine, owner }: Workspace): Page | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const named = uri.slice(SCHEME.length);
  const { pages } = engine;
  const byHandle = pages.get(owner, named);
  if (byHandle !== undefined) return byHandle;
  const url = URL.parse(named)?.href;
  if (url === undefined) return undefined;
  return (
    pages.find(owner, { url, want: 'article' }) ??
    pages.list(owner).find((page) => newestOf(page).url === url || newestOf(page).finalUrl === url)
  );
}
