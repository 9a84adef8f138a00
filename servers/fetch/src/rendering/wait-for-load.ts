import type { Page } from 'playwright-core';
import { WebError } from '../failure.ts';
import type { Lifetime } from '../web/lifetime.ts';
import type { Navigation } from './navigation.ts';

/** Milliseconds after loading in which a page may continue to load before it is used as it is. */
const QUIET_MS = 3000;
/** share of the remaining time in which a page may load */
const LOADING = 0.6;

/**
 * Waits until a page has loaded, has the element to wait for, and has had no requests for half a second. A page that
 * keeps loading is used as it is, before the deadline.
 */
export async function waitForLoad(
  page: Page,
  journey: Navigation,
  lifetime: Lifetime,
  selector: string | undefined,
): Promise<void> {
  for (let seen = -1; seen !== journey.documents && journey.refusal === undefined; ) {
    seen = journey.documents;
    await reach(page, 'load', lifetime.remainingMs() * LOADING);
    if (selector !== undefined) await appear(page, selector, lifetime);
    await reach(page, 'networkidle', Math.min(QUIET_MS, lifetime.remainingMs() / 2));
  }
}

async function reach(page: Page, state: 'load' | 'networkidle', ms: number): Promise<void> {
  try {
    await page.waitForLoadState(state, { timeout: Math.max(1, ms) });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
}

async function appear(page: Page, selector: string, lifetime: Lifetime): Promise<void> {
  if (selector.includes('>>')) throw unreadable(selector);
  lifetime.late = new WebError(`no element matched in time: ${quoted(selector)}`, {
    code: 'timeout',
    retryable: true,
    hint: 'leave out wait_for to see the page',
  });
  try {
    await page.waitForSelector(`css=${selector}`, { state: 'attached', timeout: 0 });
    lifetime.late = undefined;
  } catch (error) {
    if (error instanceof Error && /not a valid selector|parsing css selector/i.test(error.message))
      throw unreadable(selector);
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function unreadable(selector: string): WebError {
  return new WebError(`${quoted(selector)} is not a valid CSS selector`, { code: 'invalid-request' });
}

function quoted(selector: string): string {
  return JSON.stringify(selector.slice(0, 200));
}
