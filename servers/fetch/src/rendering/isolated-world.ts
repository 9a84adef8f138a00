import type { CDPSession } from 'playwright-core';

/** The driver's connection to a page, separate from the page's scripts. */
export interface PageSession {
  readonly session: CDPSession;
  readonly frame: string;
}

const SCRIPT_MS = 10_000;

/**
 * Evaluates an expression on a page's document in an isolated world, where the page's scripts cannot replace functions.
 * The result is data of the page.
 */
export async function evaluateBeside({ session, frame }: PageSession, expression: string): Promise<unknown> {
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frame,
  });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    returnByValue: true,
    timeout: SCRIPT_MS,
  });
  if (exceptionDetails !== undefined) throw new Error('the document could not be read');
  return result.value;
}
