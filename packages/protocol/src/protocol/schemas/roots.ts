import * as z from 'zod';
import type * as t from '../types.ts';
import { meta, resulting } from './base.ts';
import { object, optional, perRevision } from './shape.ts';

const root = perRevision<t.Root>((has) =>
  object<t.Root>({
    uri: z.string(),
    name: optional(z.string()),
    _meta: optional(meta(), has.structured),
  }),
);

export const listRootsResult = perRevision<t.ListRootsResult>((has) =>
  object<t.ListRootsResult>({ ...resulting(has), roots: z.array(root(has)) }),
);
