import * as z from 'zod';
import type * as t from '../types.ts';
import { requesting } from './base.ts';
import { retrying } from './input.ts';
import { mapOf, object, openObject, optional, perRevision } from './shape.ts';
import { augmenting } from './tasks.ts';

// the three requests whose result may be input requests, and which are then repeated with the responses

export const callToolRequestParams = perRevision<t.CallToolRequestParams>((has) =>
  object<t.CallToolRequestParams>({
    ...requesting(has),
    ...retrying(has),
    ...augmenting(has),
    name: z.string(),
    arguments: optional(openObject()),
  }),
);

export const getPromptRequestParams = perRevision<t.GetPromptRequestParams>((has) =>
  object<t.GetPromptRequestParams>({
    ...requesting(has),
    ...retrying(has),
    name: z.string(),
    arguments: optional(mapOf(z.string())),
  }),
);

export const readResourceRequestParams = perRevision<t.ReadResourceRequestParams>((has) =>
  object<t.ReadResourceRequestParams>({ ...requesting(has), ...retrying(has), uri: z.string() }),
);
