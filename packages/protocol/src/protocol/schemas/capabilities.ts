import * as z from 'zod';
import type * as t from '../types.ts';
import { type Facts, mapOf, object, openObject, optional, perRevision } from './shape.ts';

type Tasks<C extends t.ServerCapabilities | t.ClientCapabilities> = NonNullable<C['tasks']>;

const anything = (): z.ZodType<object> => openObject<object>();
const listChanged = (inRevision = true): z.ZodType<{ listChanged?: boolean }> =>
  object<{ listChanged?: boolean }>({ listChanged: optional(z.boolean(), inRevision) });

function open(has: Facts) {
  return {
    experimental: optional(mapOf(anything())),
    extensions: optional(mapOf(anything()), has.stateless),
  };
}

export const serverCapabilities = perRevision<t.ServerCapabilities>((has) =>
  object<t.ServerCapabilities>({
    ...open(has),
    tools: optional(listChanged()),
    resources: optional(
      object<NonNullable<t.ServerCapabilities['resources']>>({
        listChanged: optional(z.boolean()),
        subscribe: optional(z.boolean()),
      }),
    ),
    prompts: optional(listChanged()),
    completions: optional(anything(), has.annotations),
    logging: optional(anything()),
    tasks: optional(serverTasks(), has.tasks),
  }),
);

export const clientCapabilities = perRevision<t.ClientCapabilities>((has) =>
  object<t.ClientCapabilities>({
    ...open(has),
    roots: optional(listChanged(!has.stateless)),
    sampling: optional(
      object<NonNullable<t.ClientCapabilities['sampling']>>({
        context: optional(anything(), has.icons),
        tools: optional(anything(), has.icons),
      }),
    ),
    elicitation: optional(
      object<NonNullable<t.ClientCapabilities['elicitation']>>({
        form: optional(anything(), has.icons),
        url: optional(anything(), has.icons),
      }),
      has.structured,
    ),
    tasks: optional(clientTasks(), has.tasks),
  }),
);

function serverTasks(): z.ZodType<Tasks<t.ServerCapabilities>> {
  return object<Tasks<t.ServerCapabilities>>({
    list: optional(anything()),
    cancel: optional(anything()),
    requests: optional(
      object<NonNullable<Tasks<t.ServerCapabilities>['requests']>>({
        tools: optional(object<{ call?: object }>({ call: optional(anything()) })),
      }),
    ),
  });
}

function clientTasks(): z.ZodType<Tasks<t.ClientCapabilities>> {
  return object<Tasks<t.ClientCapabilities>>({
    list: optional(anything()),
    cancel: optional(anything()),
    requests: optional(
      object<NonNullable<Tasks<t.ClientCapabilities>['requests']>>({
        sampling: optional(object<{ createMessage?: object }>({ createMessage: optional(anything()) })),
        elicitation: optional(object<{ create?: object }>({ create: optional(anything()) })),
      }),
    ),
  });
}
