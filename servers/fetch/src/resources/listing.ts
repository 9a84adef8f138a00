import { defined } from '@rootbound/kit/primitives';
import type { CallContext, Resource } from '@rootbound/protocol';
import type { Snapshot } from '../pages/page.ts';
import { newestOf } from '../pages/page-store.ts';
import type { Workspace } from '../workspace.ts';
import { toPageUri } from './pages.ts';
import { mimeTypeOf } from './reading.ts';

/** Returns the fetched pages as resources, the newest first. */
export function listPages({ scope: { engine, owner } }: CallContext<Workspace>): readonly Resource[] {
  return engine.pages
    .list(owner)
    .map((page) => ({ page, snapshot: newestOf(page) }))
    .sort((one, other) => other.snapshot.fetchedAt - one.snapshot.fetchedAt)
    .map(({ page, snapshot }) => {
      const { title } = snapshot.reading.metadata;
      return {
        uri: toPageUri(page),
        name: snapshot.finalUrl,
        ...defined({ title }),
        mimeType: mimeTypeOf(snapshot),
        size: Buffer.byteLength(snapshot.reading.text),
        annotations: { lastModified: lastModifiedOf(snapshot) },
      };
    });
}

/** Returns when the page changed, by its response, or when it was fetched. */
function lastModifiedOf({ responseFields, fetchedAt }: Snapshot): string {
  const modified = Date.parse(responseFields.lastModified ?? '');
  return new Date(Number.isNaN(modified) || modified > fetchedAt ? fetchedAt : modified).toISOString();
}
