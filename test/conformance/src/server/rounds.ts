import { type AnyTool, form, roots, sample, tool } from '@rootbound/protocol';
import * as z from 'zod';
import { textOf } from './asking.ts';
import { noArguments } from './content.ts';

const nameForm = z.object({ name: z.string() });
const okForm = z.object({ ok: z.boolean() });

const askName = () => form('What is your name?', nameForm);
const askModel = (text: string) =>
  sample({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

/** Tools whose calls take several rounds in the stateless era. */
export const roundTools: readonly AnyTool[] = [
  tool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks the user for a name.',
    input: noArguments,
    ask: (_args, ask) => ask({ user_name: askName() }),
    run: (_args, { answers }) => `Hello, ${answers.user_name.name}!`,
  }),
  tool({
    name: 'test_input_required_result_sampling',
    description: "Asks the client's model for a capital.",
    input: noArguments,
    ask: (_args, ask) => ask({ capital_question: askModel('What is the capital of France?') }),
    run: (_args, { answers }) => textOf(answers.capital_question),
  }),
  tool({
    name: 'test_input_required_result_list_roots',
    description: 'Asks the client for its roots.',
    input: noArguments,
    ask: (_args, ask) => ask({ client_roots: roots() }),
    run: (_args, { answers }) => answers.client_roots.map(({ uri }) => uri).join('\n'),
  }),
  tool({
    name: 'test_input_required_result_request_state',
    description: 'Asks the user to confirm, and keeps a state over the rounds.',
    input: noArguments,
    ask: (_args, ask) => ask({ confirm: form('Please confirm', okForm) }),
    // the body runs only after the state was opened and verified for this call
    run: (_args, { answers }) => `state-ok, confirmed: ${answers.confirm.ok}`,
  }),
  tool({
    name: 'test_input_required_result_multiple_inputs',
    description: "Asks the user, the client's model and the client at once.",
    input: noArguments,
    ask: (_args, ask) =>
      ask({ user_name: askName(), greeting: askModel('Generate a greeting'), client_roots: roots() }),
    run: (_args, { answers }) =>
      `${textOf(answers.greeting)} ${answers.user_name.name}, of ${answers.client_roots.length} roots`,
  }),
  tool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks the user twice, one question after the other.',
    input: noArguments,
    ask: async (_args, ask) => {
      const { step1 } = await ask({ step1: form('Step 1: What is your name?', nameForm) });
      const { step2 } = await ask({
        step2: form('Step 2: What is your favorite color?', z.object({ color: z.string() })),
      });
      return { ...step1, ...step2 };
    },
    run: (_args, { answers }) => `${answers.name} likes ${answers.color}.`,
  }),
  tool({
    name: 'test_input_required_result_tampered_state',
    description: 'Asks the user to confirm; a modified state is refused.',
    input: noArguments,
    ask: (_args, ask) => ask({ confirm: form('Please confirm', okForm) }),
    run: (_args, { answers }) => `Confirmed: ${answers.confirm.ok}`,
  }),
  tool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks the user if the client can, otherwise its model.',
    input: noArguments,
    ask: async (_args, ask, { facts }) => {
      if (facts.capabilities.elicitation === undefined) {
        return textOf((await ask({ greeting: askModel('Generate a greeting') })).greeting);
      }
      return (await ask({ user_name: askName() })).user_name.name;
    },
    run: (_args, { answers }) => answers,
  }),
  tool({
    name: 'test_missing_capability',
    description: "Asks the client's model, so that clients without one are refused.",
    input: noArguments,
    ask: (_args, ask) => ask({ reply: askModel('Say something') }),
    run: (_args, { answers }) => textOf(answers.reply),
  }),
  tool({
    name: 'test_streaming_elicitation',
    description: 'Reports progress, then asks the user.',
    input: noArguments,
    ask: (_args, ask, { progress }) => {
      progress(1, 2);
      return ask({ user_name: askName() });
    },
    run: (_args, { answers }) => `Hello, ${answers.user_name.name}!`,
  }),
];
