import { setTimeout as wait } from 'node:timers/promises';
import { type AnyTool, form, rpcError, ToolError, tool } from '@rootbound/protocol';
import * as z from 'zod';
import { noArguments } from './content.ts';

const nameForm = z.object({ name: z.string() });

/** Tools that run as tasks, and one that does not. */
export const taskTools: readonly AnyTool[] = [
  tool({
    name: 'greet',
    description: 'Greets at once, even if tasks are requested.',
    input: nameForm,
    run: ({ name }) => `Hello, ${name}!`,
  }),
  tool({
    name: 'slow_compute',
    description: 'Takes the given number of seconds.',
    input: z.object({ seconds: z.number().min(0).max(60), label: z.string().optional() }),
    taskSupport: 'optional',
    run: async ({ seconds, label = 'nothing' }, { signal }) => {
      await wait(seconds * 1000, undefined, { signal });
      return `Computed ${label} for ${seconds} s.`;
    },
  }),
  tool({
    name: 'failing_job',
    description: 'Fails after a while; runs only as a task.',
    input: noArguments,
    taskSupport: 'required',
    run: async (_args, { signal }) => {
      await wait(500, undefined, { signal });
      throw new ToolError('The job has failed.');
    },
  }),
  tool({
    name: 'protocol_error_job',
    description: 'Ends with a protocol error.',
    input: noArguments,
    taskSupport: 'optional',
    run: () => {
      throw rpcError('InternalError', 'the job cannot continue');
    },
  }),
  tool({
    name: 'confirm_delete',
    description: 'Asks before it pretends to delete a file.',
    input: z.object({ filename: z.string() }),
    taskSupport: 'optional',
    ask: ({ filename }, ask) =>
      ask({ sure: form(`Delete ${filename}?`, z.object({ confirm: z.boolean() })) }),
    run: ({ filename }, { answers }) => `${filename} is ${answers.sure.confirm ? 'deleted' : 'kept'}.`,
  }),
  tool({
    name: 'multi_input',
    description: 'Asks two questions at once.',
    input: noArguments,
    taskSupport: 'optional',
    ask: (_args, ask) =>
      ask({ first: form('Who is the first?', nameForm), second: form('Who is the second?', nameForm) }),
    run: (_args, { answers }) => `${answers.first.name} and ${answers.second.name}.`,
  }),
  tool({
    name: 'test_tool_with_task',
    description: 'Asks for a name, then greets as a task.',
    input: noArguments,
    taskSupport: 'required',
    askFirst: true,
    ask: (_args, ask) => ask({ user_name: form('What is your name?', nameForm) }),
    run: (_args, { answers }) => `Hello, ${answers.user_name.name}!`,
  }),
];
