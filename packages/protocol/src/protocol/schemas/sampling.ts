import * as z from 'zod';
import type * as t from '../types.ts';
import { meta, requesting, resulting, role } from './base.ts';
import { spoken } from './content.ts';
import { byMember, choose, object, openObject, optional, perRevision } from './shape.ts';
import { augmenting } from './tasks.ts';
import { answering, tool } from './tools.ts';

const modelPreferences = perRevision<t.ModelPreferences>(() => {
  const priority = () => optional(z.number().min(0).max(1));
  return object<t.ModelPreferences>({
    hints: optional(z.array(object<t.ModelHint>({ name: optional(z.string()) }))),
    costPriority: priority(),
    speedPriority: priority(),
    intelligencePriority: priority(),
  });
});

const block = perRevision<t.SamplingMessageContentBlock>((has) =>
  byMember<t.SamplingMessageContentBlock>('type', {
    ...spoken(has),
    ...(has.icons && {
      tool_use: object<t.ToolUseContent>({
        type: z.literal('tool_use'),
        id: z.string(),
        name: z.string(),
        input: openObject(),
        _meta: optional(meta()),
      }),
      tool_result: object<t.ToolResultContent>({
        ...answering(has),
        type: z.literal('tool_result'),
        toolUseId: z.string(),
        _meta: optional(meta()),
      }),
    }),
  }),
);

const content = perRevision<t.SamplingMessage['content']>((has) => {
  const one = block(has);
  const many = z.array(one);
  return has.icons
    ? choose<t.SamplingMessage['content']>((value) => (Array.isArray(value) ? many : one))
    : one;
});

const samplingMessage = perRevision<t.SamplingMessage>((has) =>
  object<t.SamplingMessage>({
    role: role(),
    content: content(has),
    _meta: optional(meta(), has.icons),
  }),
);

export const createMessageRequestParams = perRevision<t.CreateMessageRequestParams>((has) =>
  object<t.CreateMessageRequestParams>({
    // input requests inside a result are not requests, so they have no request `_meta`
    _meta: has.stateless ? optional(openObject()) : requesting(has)._meta,
    ...augmenting(has),
    messages: z.array(samplingMessage(has)),
    maxTokens: z.int(),
    systemPrompt: optional(z.string()),
    includeContext: optional(z.enum(['none', 'thisServer', 'allServers'])),
    temperature: optional(z.number()),
    stopSequences: optional(z.array(z.string())),
    modelPreferences: optional(modelPreferences(has)),
    tools: optional(z.array(tool(has)), has.icons),
    toolChoice: optional(
      object<t.ToolChoice>({ mode: optional(z.enum(['auto', 'required', 'none'])) }),
      has.icons,
    ),
    metadata: optional(openObject<object>()),
  }),
);

export const createMessageResult = perRevision<t.CreateMessageResult>((has) =>
  object<t.CreateMessageResult>({
    ...resulting(has),
    role: role(),
    content: content(has),
    model: z.string(),
    stopReason: optional(z.string()),
  }),
);
