import { type Complete, type TemplateDefinition, template } from '@rootbound/protocol';
import type { Workspace } from './workspace.ts';

/** Completes the URL of a fetched page; the code is loaded on first use. */
export const completeSeen: Complete<Workspace> = async (...typed) =>
  (await import('./resources/completing.ts')).completeSeen(...typed);

/** The resource templates of this server. */
export const resources: readonly TemplateDefinition<Workspace>[] = [
  template<Workspace>({
    uriTemplate: 'page:{+page}',
    name: 'page',
    title: 'Fetched page',
    description: 'A fetched page, by the handle that fetch returns or by its URL',
    complete: { page: completeSeen },
    read: async (uri, context) => (await import('./resources/reading.ts')).readPageUri(uri, context),
  }),
];
