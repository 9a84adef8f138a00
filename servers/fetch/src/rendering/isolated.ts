import type { CDPSession } from 'playwright-core';

/** The connection to a page, beside its own scripts. */
export interface PageSession {
  readonly session: CDPSession;
  readonly frame: string;
}

const SCRIPT_MS = 10_000;

/**
 * What an expression gives that runs on the document of a page, where scripts of the page cannot change what it calls.
 * What comes back is data of the page.
 */
export async function evaluateBeside({ session, frame }: PageSession, expression: string): Promise<unknown> {
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frame,
  });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    ...{ expression, contextId, returnByValue: true, timeout: SCRIPT_MS },
  });
  if (exceptionDetails !== undefined) throw new Error('the document could not be looked at');
  return result.value;
}
