import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply, ToolError } from '@rootbound/protocol';
import { WebError } from '../failure.ts';
import { shortened, shortenedFacts } from './fit-output.ts';
import { failureResult } from './result-fields.ts';

/**
 * Runs a tool that loads pages; a WebError becomes a failing result whose structured half has the code, the redirects
 * and the time of the next try.
 */
export async function toToolResult(work: () => Promise<Reply>, maxOutput: number): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebError) return failed(error, maxOutput);
    // an error without a code of its own goes to the log as well
    if (error instanceof ToolError && error.code !== 'failed') return refused(error, maxOutput);
    throw error;
  }
}

function failed(error: WebError, maxOutput: number): Reply {
  const { message, hint, code, retryable } = error;
  const lines = [message, hint, redirected(error)]
    .filter((line) => line !== undefined)
    .map((line) => shortened(line, maxOutput / 8));
  const { structured, text } = failureResult(error, lines, {}, maxOutput);
  return reply({ structured, content: text, isError: true, _meta: { failure: { code, retryable } } });
}

/** Returns the failing result of an error outside HTTP, such as a file that exists already. */
function refused({ message, hint, code, retryable }: ToolError, maxOutput: number): Reply {
  const failure = shortenedFacts({ code, message, retryable, ...defined({ hint }) }, maxOutput / 2);
  const lines = [message, hint].filter((line) => line !== undefined);
  const content = lines.map((line) => shortened(line, maxOutput / 4)).join('\n');
  return reply({ structured: { failure }, content, isError: true, _meta: { failure: { code, retryable } } });
}

function redirected({ way: { redirects, finalUrl } }: WebError): string | undefined {
  return redirects !== undefined && redirects.length > 0 ? `it was redirected to ${finalUrl}` : undefined;
}

/** Returns the failure for invalid arguments of a call. */
export function invalidArguments(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', hint });
}
