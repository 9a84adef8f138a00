import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply, ToolError } from '@rootbound/protocol';
import { WebError } from '../failure.ts';
import { shortened, shortenedFacts } from './fitting.ts';
import { failing } from './told.ts';

/**
 * The result of a tool that loads pages: what cannot be had is a failing result whose structured half says why, where
 * it leads and when to try again.
 */
export async function answering(work: () => Promise<Reply>, maxOutput: number): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebError) return failed(error, maxOutput);
    // one without a code is for the log as well
    if (error instanceof ToolError && error.code !== 'failed') return refused(error, maxOutput);
    throw error;
  }
}

function failed(error: WebError, maxOutput: number): Reply {
  const { message, hint, code, retryable } = error;
  const lines = [message, hint, redirected(error)]
    .filter((line) => line !== undefined)
    .map((line) => shortened(line, maxOutput / 8));
  const { structured, text } = failing(error, lines, {}, maxOutput);
  return reply({ structured, content: text, isError: true, _meta: { failure: { code, retryable } } });
}

/** A failure that is none of the web, such as a file that is there already. */
function refused({ message, hint, code, retryable }: ToolError, maxOutput: number): Reply {
  const failure = shortenedFacts({ code, message, retryable, ...defined({ hint }) }, maxOutput / 2);
  const lines = [message, hint].filter((line) => line !== undefined);
  const content = lines.map((line) => shortened(line, maxOutput / 4)).join('\n');
  return reply({ structured: { failure }, content, isError: true, _meta: { failure: { code, retryable } } });
}

function redirected({ way: { redirects, finalUrl } }: WebError): string | undefined {
  return redirects !== undefined && redirects.length > 0 ? `it was redirected to ${finalUrl}` : undefined;
}

/** A mistake in the arguments of a call. */
export function misused(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', hint });
}
