import * as z from 'zod';
import type * as t from '../types.ts';
import { caching, implementation, requesting, resulting } from './base.ts';
import { clientCapabilities, serverCapabilities } from './capabilities.ts';
import { object, optional, perRevision } from './shape.ts';

export const initializeRequestParams = perRevision<t.InitializeRequestParams>((has) =>
  object<t.InitializeRequestParams>({
    ...requesting(has),
    protocolVersion: z.string(),
    capabilities: clientCapabilities(has),
    clientInfo: implementation(has),
  }),
);

export const initializeResult = perRevision<t.InitializeResult>((has) =>
  object<t.InitializeResult>({
    ...resulting(has),
    protocolVersion: z.string(),
    capabilities: serverCapabilities(has),
    serverInfo: implementation(has),
    instructions: optional(z.string()),
  }),
);

export const discoverResult = perRevision<t.DiscoverResult>((has) =>
  object<t.DiscoverResult>({
    ...caching(has),
    supportedVersions: z.array(z.string()),
    capabilities: serverCapabilities(has),
    instructions: optional(z.string()),
  }),
);
