import * as z from 'zod';
import type * as t from '../types.ts';
import { clientCapabilities } from './capabilities.ts';
import { type Facts, object, openObject, optional, perRevision, requiredIn, type Shape } from './shape.ts';

export const meta = (): z.ZodType<t.MetaObject> => openObject();
export const requestId = (): z.ZodType<t.RequestId> => z.union([z.string(), z.int()]);
export const progressToken = requestId;
export const role = (): z.ZodType<t.Role> => z.enum(['user', 'assistant']);

export const loggingLevel = (): z.ZodType<t.LoggingLevel> =>
  z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);

export const icon = perRevision<t.Icon>(() =>
  object<t.Icon>({
    src: z.string(),
    mimeType: optional(z.string()),
    sizes: optional(z.array(z.string())),
    theme: optional(z.enum(['light', 'dark'])),
  }),
);

export const annotations = perRevision<t.Annotations>((has) =>
  object<t.Annotations>({
    audience: optional(z.array(role())),
    priority: optional(z.number().min(0).max(1)),
    lastModified: optional(z.string(), has.structured),
  }),
);

/** Returns the members that every named object shares. */
export function naming(
  has: Facts,
): Shape<{ name: string; title?: string; icons?: t.Icon[]; _meta?: t.MetaObject }> {
  return {
    name: z.string(),
    title: optional(z.string(), has.structured),
    icons: optional(z.array(icon(has)), has.icons),
    _meta: optional(meta(), has.structured),
  };
}

export const implementation = perRevision<t.Implementation>((has) =>
  object<t.Implementation>({
    name: z.string(),
    version: z.string(),
    title: optional(z.string(), has.structured),
    description: optional(z.string(), has.icons),
    icons: optional(z.array(icon(has)), has.icons),
    websiteUrl: optional(z.string(), has.icons),
  }),
);

const requestMeta = perRevision<t.RequestMetaObject>((has) =>
  object<t.RequestMetaObject>({
    progressToken: optional(progressToken()),
    'io.modelcontextprotocol/protocolVersion': requiredIn(has.stateless, z.string()),
    'io.modelcontextprotocol/clientInfo': optional(implementation(has), has.stateless),
    'io.modelcontextprotocol/clientCapabilities': requiredIn(has.stateless, clientCapabilities(has)),
    'io.modelcontextprotocol/logLevel': optional(loggingLevel(), has.stateless),
  }),
);

const resultMeta = perRevision<t.ResultMetaObject>((has) =>
  object<t.ResultMetaObject>({
    'io.modelcontextprotocol/serverInfo': optional(implementation(has), has.stateless),
  }),
);

const notificationMeta = perRevision<t.NotificationMetaObject>((has) =>
  object<t.NotificationMetaObject>({
    'io.modelcontextprotocol/subscriptionId': optional(requestId(), has.stateless),
  }),
);

/** Returns the members that the params of every request share. */
export function requesting(has: Facts): Shape<t.RequestParams> {
  const meta = requestMeta(has);
  return { _meta: has.stateless ? meta : optional(meta) };
}

/** Returns the members that the params of every notification share. */
export function notifying(has: Facts): Shape<t.NotificationParams> {
  return { _meta: optional(notificationMeta(has)) };
}

/** Returns the members that every result shares; a result without `resultType` is complete. */
export function resulting(has: Facts): Shape<t.Result> {
  return { _meta: optional(resultMeta(has)), resultType: optional(z.string(), has.stateless) };
}

/** Returns the members of a cacheable result; the reader decides about an absent or negative `ttlMs`. */
export function caching(has: Facts): Shape<t.CacheableResult> {
  return {
    ...resulting(has),
    ttlMs: optional(z.int(), has.stateless),
    cacheScope: optional(z.enum(['public', 'private']), has.stateless),
  };
}

/** Returns the members of a list that is split into pages. */
export function paging(has: Facts): Shape<t.PaginatedResult & t.CacheableResult> {
  return { ...caching(has), nextCursor: optional(z.string()) };
}

export const emptyResult = perRevision<t.EmptyResult>((has) => object<t.EmptyResult>(resulting(has)));

export const requestParams = perRevision<t.RequestParams>((has) => object<t.RequestParams>(requesting(has)));

export const paginatedRequestParams = perRevision<t.PaginatedRequestParams>((has) =>
  object<t.PaginatedRequestParams>({ ...requesting(has), cursor: optional(z.string()) }),
);

export const notificationParams = perRevision<t.NotificationParams>((has) =>
  object<t.NotificationParams>(notifying(has)),
);
