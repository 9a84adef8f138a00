import { RpcError } from '../jsonrpc/errors.ts';
import type { Params } from '../jsonrpc/message.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError } from './errors.ts';

/** The maximum number of times that one request is sent. */
const MAX_ROUNDS = 10;

/** Sends the request once and returns its checked result. */
export type SendOnce = (params: Params) => Promise<Params>;
export type AnswerQuestion = (question: t.InputRequest) => Promise<object>;

/**
 * Returns the final result of a request to which the server may respond with input requests: they are
 * answered, and the request is sent again with the responses and the same state, at most ten times.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export async function requestInRounds(
  method: string,
  params: Params,
  send: SendOnce,
  answer: AnswerQuestion,
): Promise<Params> {
  let sent = params;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const result = await send(sent);
    if (result.resultType !== 'input_required') return result;
    const { inputRequests, requestState } = result as unknown as t.InputRequiredResult; // `send` checked it
    if (inputRequests === undefined && requestState === undefined) {
      throw new AnswerError(`the response to ${method} requires input but has no input requests`);
    }
    sent = {
      ...params,
      ...(inputRequests !== undefined && { inputResponses: await answerAll(method, inputRequests, answer) }),
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new AnswerError(`${method} requires input after ${MAX_ROUNDS} rounds`);
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
      // an error cannot be sent in place of an input response
      if (!(error instanceof RpcError)) throw error;
      throw new AnswerError(`${method} requires input that this client does not support: ${error.message}`, {
        cause: error,
      });
    }
  });
  return Object.fromEntries(await Promise.all(answers));
}
