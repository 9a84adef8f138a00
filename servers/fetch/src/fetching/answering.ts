import { type Reply, reply, ToolError } from '@rootbound/protocol';
import { WebError } from '../failure.ts';
import { enveloped, failureOf } from './told.ts';

/**
 * The result of a tool that loads pages: what cannot be had is a failing result whose structured half says why, where
 * it leads and when to try again.
 */
export async function answering(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebError) return failed(error);
    throw error;
  }
}

function failed(error: WebError): Reply {
  const { message, hint, excerpt = '', code, retryable } = error;
  const said = [message, hint, redirected(error)].filter((line) => line !== undefined);
  const text = excerpt.trim() === '' ? said : [...said, enveloped(excerpt)];
  return reply({
    structured: { failure: failureOf(error) },
    content: text.join('\n'),
    isError: true,
    _meta: { failure: { code, retryable } },
  });
}

function redirected({ way: { redirects, finalUrl } }: WebError): string | undefined {
  return redirects !== undefined && redirects.length > 0 ? `it was redirected to ${finalUrl}` : undefined;
}

/** A mistake in the arguments of a call. */
export function misused(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', hint });
}
