import { type Answer, events, type Wire } from '../model.ts';

interface Request {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const head = { id: 'chat_1', created: 1, model: 'scripted' };

/** The OpenAI chat completions API. */
export const openai: Wire = {
  read({ tools = [], messages }: Request) {
    return {
      offered: tools.map((tool) => tool.function.name),
      results: messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
    };
  },
  isStream: (_path, { stream }: Request) => stream === true,
  whole: (answer) => ({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: messageOf(answer), finish_reason: reason(answer) }],
    usage,
  }),
  stream(answer) {
    const chunk = { ...head, object: 'chat.completion.chunk' };
    const parts = [
      { ...chunk, choices: [{ index: 0, delta: messageOf(answer), finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason(answer) }], usage },
    ];
    return `${events(parts)}data: [DONE]\n\n`;
  },
};

let calls = 0;

function messageOf(answer: Answer): object {
  if ('words' in answer) return { role: 'assistant', content: answer.words };
  const asked = { name: answer.name, arguments: JSON.stringify(answer.arguments) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: `call_${++calls}`, type: 'function', function: asked }],
  };
}

function reason(answer: Answer): string {
  return 'words' in answer ? 'stop' : 'tool_calls';
}
