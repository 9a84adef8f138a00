import * as z from 'zod';
import type * as t from '../types.ts';
import { annotations, meta } from './base.ts';
import { describing, resourceContents } from './resources.ts';
import { byMember, type Facts, object, optional, perRevision } from './shape.ts';

type Forms<T> = Record<string, z.ZodType<T>>;

function shared(has: Facts) {
  return { annotations: optional(annotations(has)), _meta: optional(meta(), has.structured) };
}

/** Returns text, image and audio content by `type`: the content of sampling messages. */
export function spoken(has: Facts): Forms<t.TextContent | t.ImageContent | t.AudioContent> {
  const data = { data: z.string(), mimeType: z.string() };
  return {
    text: object<t.TextContent>({ ...shared(has), type: z.literal('text'), text: z.string() }),
    image: object<t.ImageContent>({ ...shared(has), ...data, type: z.literal('image') }),
    ...(has.annotations && {
      audio: object<t.AudioContent>({ ...shared(has), ...data, type: z.literal('audio') }),
    }),
  };
}

function referred(has: Facts): Forms<t.ResourceLink | t.EmbeddedResource> {
  return {
    resource: object<t.EmbeddedResource>({
      ...shared(has),
      type: z.literal('resource'),
      resource: resourceContents(has),
    }),
    ...(has.structured && {
      resource_link: object<t.ResourceLink>({ ...describing(has), type: z.literal('resource_link') }),
    }),
  };
}

export const contentBlock = perRevision<t.ContentBlock>((has) =>
  byMember<t.ContentBlock>('type', { ...spoken(has), ...referred(has) }),
);
