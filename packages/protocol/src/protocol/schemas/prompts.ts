import * as z from 'zod';
import type * as t from '../types.ts';
import { naming, paging, resulting, role } from './base.ts';
import { contentBlock } from './content.ts';
import { object, optional, perRevision } from './shape.ts';

const promptArgument = perRevision<t.PromptArgument>((has) =>
  object<t.PromptArgument>({
    name: z.string(),
    title: optional(z.string(), has.structured),
    description: optional(z.string()),
    required: optional(z.boolean()),
  }),
);

export const prompt = perRevision<t.Prompt>((has) =>
  object<t.Prompt>({
    ...naming(has),
    description: optional(z.string()),
    arguments: optional(z.array(promptArgument(has))),
  }),
);

const promptMessage = perRevision<t.PromptMessage>((has) =>
  object<t.PromptMessage>({ role: role(), content: contentBlock(has) }),
);

export const listPromptsResult = perRevision<t.ListPromptsResult>((has) =>
  object<t.ListPromptsResult>({ ...paging(has), prompts: z.array(prompt(has)) }),
);

export const getPromptResult = perRevision<t.GetPromptResult>((has) =>
  object<t.GetPromptResult>({
    ...resulting(has),
    description: optional(z.string()),
    messages: z.array(promptMessage(has)),
  }),
);
