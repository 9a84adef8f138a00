import { type Complete, type TemplateDefinition, template } from '@rootbound/protocol';
import type { Workspace } from './workspace.ts';

/** Code that only a picked resource needs is loaded then. */
export const completeSeen: Complete<Workspace> = async (...typed) =>
  (await import('./resources/completing.ts')).completeSeen(...typed);

/** What can be read by URI. */
export const resources: readonly TemplateDefinition<Workspace>[] = [
  template<Workspace>({
    uriTemplate: 'page:{+page}',
    name: 'page',
    title: 'Fetched page',
    description: 'A page that was fetched, by the handle that fetch gives or by its address',
    complete: { page: completeSeen },
    read: async (uri, context) => (await import('./resources/reading.ts')).readPageUri(uri, context),
  }),
];
