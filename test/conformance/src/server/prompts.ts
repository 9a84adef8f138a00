import { form, prompt } from '@rootbound/protocol';
import * as z from 'zod';
import { pixel } from './media.ts';

/** Prompts without and with arguments, with content other than text, and one that asks the user. */
export const prompts = [
  prompt({
    name: 'test_simple_prompt',
    description: 'One message.',
    get: () => 'This is a simple prompt for testing.',
  }),
  prompt({
    name: 'test_prompt_with_arguments',
    description: 'One message made of two arguments.',
    arguments: [
      {
        name: 'arg1',
        description: 'the first argument',
        required: true,
        complete: (value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
      },
      { name: 'arg2', description: 'the second argument', required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  prompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'A resource and what to do with it.',
    arguments: [{ name: 'resourceUri', description: 'the URI of the resource', required: true }],
    get: ({ resourceUri = '' }) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
      },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ],
  }),
  prompt({
    name: 'test_prompt_with_image',
    description: 'A picture and what to do with it.',
    get: () => [
      { role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  }),
  prompt({
    name: 'test_input_required_result_prompt',
    description: 'One message, with the answer of the user.',
    ask: (_args, ask) =>
      ask({
        user_context: form('What context should the prompt use?', z.object({ context: z.string() })),
      }),
    get: (_args, { answers }) => `Answer in this context: ${JSON.stringify(answers)}`,
  }),
];
