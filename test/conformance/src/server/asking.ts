import { type AnyTool, type CreateMessageResult, form, optional, sample, tool } from '@rootbound/protocol';
import * as z from 'zod';
import { noArguments } from './content.ts';

const everyDefault = z.object({
  name: z.string().default('John Doe'),
  age: z.int().default(30),
  score: z.number().default(95.5),
  status: z.enum(['active', 'inactive', 'pending']).default('active'),
  verified: z.boolean().default(true),
});

const everyChoice = z.object({
  untitledSingle: z.enum(['option1', 'option2', 'option3']),
  titledSingle: titled({ value1: 'First Option', value2: 'Second Option', value3: 'Third Option' }),
  legacyEnum: z
    .enum(['opt1', 'opt2', 'opt3'])
    .meta({ enumNames: ['Option One', 'Option Two', 'Option Three'] }),
  untitledMulti: z.array(z.enum(['option1', 'option2', 'option3'])),
  titledMulti: z.array(titled({ value1: 'First Choice', value2: 'Second Choice', value3: 'Third Choice' })),
});

/** Tools that ask the client's model or the user. */
export const askingTools: readonly AnyTool[] = [
  tool({
    name: 'test_sampling',
    description: "Asks the client's model.",
    input: z.object({ prompt: z.string().describe('what to ask') }),
    ask: ({ prompt }, ask) =>
      ask({
        reply: sample({
          messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
          maxTokens: 100,
        }),
      }),
    run: (_args, { answers }) => `LLM response: ${textOf(answers.reply)}`,
  }),
  tool({
    name: 'test_elicitation',
    description: 'Asks the user for a name and an address.',
    input: z.object({ message: z.string().describe('what to say to the user') }),
    ask: ({ message }, ask) =>
      ask({
        response: optional(
          form(
            message,
            z.object({
              username: z.string().describe("User's response"),
              email: z.string().describe("User's email address"),
            }),
          ),
        ),
      }),
    run: (_args, { answers }) => `User response: ${JSON.stringify(answers.response)}`,
  }),
  tool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the user with a form of which every field has a default.',
    input: noArguments,
    ask: (_args, ask) => ask({ response: optional(form('Please check the values', everyDefault)) }),
    run: (_args, { answers }) => `Elicitation completed: ${JSON.stringify(answers.response)}`,
  }),
  tool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the user with a form of every kind of choice.',
    input: noArguments,
    ask: (_args, ask) => ask({ response: optional(form('Please choose', everyChoice)) }),
    run: (_args, { answers }) => `Elicitation completed: ${JSON.stringify(answers.response)}`,
  }),
];

/** Returns the text of a model's message. */
export function textOf({ content }: CreateMessageResult): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
}

/** Returns a choice among values with titles. */
function titled(titles: Record<string, string>) {
  return z.union(Object.entries(titles).map(([value, title]) => z.literal(value).meta({ title })));
}
