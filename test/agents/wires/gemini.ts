import { type Answer, events, type Wire } from '../model.ts';

interface Request {
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly contents: readonly {
    readonly parts: readonly { readonly functionResponse?: { readonly response: object } }[];
  }[];
}

/** The Gemini generateContent API. */
export const gemini: Wire = {
  read({ tools = [], contents }: Request) {
    return {
      offered: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations).map(({ name }) => name),
      results: contents
        .flatMap(({ parts }) => parts)
        .flatMap(({ functionResponse }) => functionResponse ?? [])
        .map(({ response }) => JSON.stringify(response)),
    };
  },
  isStream: (path) => path.includes(':streamGenerateContent'),
  whole: (answer) => ({
    candidates: [{ content: { role: 'model', parts: [part(answer)] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
  stream: (answer) => events([gemini.whole(answer)]),
};

function part(answer: Answer): object {
  return 'words' in answer
    ? { text: answer.words }
    : { functionCall: { name: answer.name, args: answer.arguments } };
}
