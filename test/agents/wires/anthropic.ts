import { type Answer, events, type Wire } from '../model.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
}

interface Request {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly content: string | readonly Block[] }[];
}

const usage = { input_tokens: 1, output_tokens: 1 };

/** The Anthropic Messages API. */
export const anthropic: Wire = {
  read({ tools = [], messages }: Request) {
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    return {
      offered: tools.map(({ name }) => name),
      results: blocks
        .filter(({ type }) => type === 'tool_result')
        .map(({ content = '' }) => wordsOf(content)),
    };
  },
  isStream: (_path, { stream }: Request) => stream === true,
  whole: (answer) => ({ ...message, content: [block(answer)], stop_reason: reason(answer) }),
  stream(answer) {
    const delta =
      'words' in answer
        ? { type: 'text_delta', text: answer.words }
        : { type: 'input_json_delta', partial_json: JSON.stringify(answer.arguments) };
    const empty = 'words' in answer ? { type: 'text', text: '' } : { ...block(answer), input: {} };
    const parts = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: reason(answer), stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    return events(parts, ({ type }: { type: string }) => type);
  },
};

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  stop_sequence: null,
  usage,
};

let calls = 0;

function block(answer: Answer): object {
  return 'words' in answer
    ? { type: 'text', text: answer.words }
    : { type: 'tool_use', id: `toolu_${++calls}`, name: answer.name, input: answer.arguments };
}

function reason(answer: Answer): string {
  return 'words' in answer ? 'end_turn' : 'tool_use';
}

function wordsOf(content: string | readonly Block[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}
