import { RpcError } from '../jsonrpc/errors.ts';
import type { Params } from '../jsonrpc/message.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError } from './errors.ts';

/** Most times that one request is sent. */
const MAX_ROUNDS = 10;

/** Sends the request once and gives its checked result. */
export type SendOnce = (params: Params) => Promise<Params>;
export type AnswerQuestion = (question: t.InputRequest) => Promise<object>;

/**
 * The final result of a request that the server may answer with questions: they are answered and the request is
 * sent again with the answers and the exact state, ten times at most.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export async function throughRounds(
  method: string,
  params: Params,
  send: SendOnce,
  answer: AnswerQuestion,
): Promise<Params> {
  let sent = params;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const result = await send(sent);
    if (result.resultType !== 'input_required') return result;
    const { inputRequests, requestState } = result as unknown as t.InputRequiredResult; // holds: `send` checked it
    if (inputRequests === undefined && requestState === undefined) {
      throw new AnswerError(`the answer to ${method} requires input but asks for none`);
    }
    sent = {
      ...params,
      ...(inputRequests !== undefined && { inputResponses: await answerAll(method, inputRequests, answer) }),
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new AnswerError(`${method} still required input after ${MAX_ROUNDS} rounds`);
}

async function answerAll(
  method: string,
  questions: t.InputRequests,
  answer: AnswerQuestion,
): Promise<Record<string, object>> {
  const answers = Object.entries(questions).map(async ([key, question]) => {
    try {
      return [key, await answer(question)] as const;
    } catch (error) {
      // there is no way to send an error in place of an answer
      if (!(error instanceof RpcError)) throw error;
      throw new AnswerError(`${method} asked what this client does not answer: ${error.message}`, {
        cause: error,
      });
    }
  });
  return Object.fromEntries(await Promise.all(answers));
}
