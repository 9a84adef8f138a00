import * as z from 'zod';
import type * as t from '../types.ts';
import { annotations, caching, meta, naming, paging, requesting } from './base.ts';
import { choose, type Facts, memberOf, object, optional, perRevision, type Shape } from './shape.ts';

export const resourceContents = perRevision<t.ResourceContents>((has) => {
  const shared = { uri: z.string(), mimeType: optional(z.string()), _meta: optional(meta(), has.structured) };
  const text = object<t.TextResourceContents>({ ...shared, text: z.string() });
  const blob = object<t.BlobResourceContents>({ ...shared, blob: z.string() });
  return choose<t.ResourceContents>((value) => {
    if (typeof memberOf(value, 'text') === 'string') return text;
    return memberOf(value, 'blob') === undefined ? text : blob;
  });
});

/** Returns the members of a resource, which a resource link shares. */
export function describing(has: Facts): Shape<t.Resource> {
  return {
    ...naming(has),
    uri: z.string(),
    description: optional(z.string()),
    mimeType: optional(z.string()),
    size: optional(z.int()),
    annotations: optional(annotations(has)),
  };
}

export const resource = perRevision<t.Resource>((has) => object<t.Resource>(describing(has)));

export const resourceTemplate = perRevision<t.ResourceTemplate>((has) =>
  object<t.ResourceTemplate>({
    ...naming(has),
    uriTemplate: z.string(),
    description: optional(z.string()),
    mimeType: optional(z.string()),
    annotations: optional(annotations(has)),
  }),
);

export const listResourcesResult = perRevision<t.ListResourcesResult>((has) =>
  object<t.ListResourcesResult>({ ...paging(has), resources: z.array(resource(has)) }),
);

export const listResourceTemplatesResult = perRevision<t.ListResourceTemplatesResult>((has) =>
  object<t.ListResourceTemplatesResult>({
    ...paging(has),
    resourceTemplates: z.array(resourceTemplate(has)),
  }),
);

export const readResourceResult = perRevision<t.ReadResourceResult>((has) =>
  object<t.ReadResourceResult>({ ...caching(has), contents: z.array(resourceContents(has)) }),
);

export const subscribeRequestParams = perRevision<t.SubscribeRequestParams>((has) =>
  object<t.SubscribeRequestParams>({ ...requesting(has), uri: z.string() }),
);
