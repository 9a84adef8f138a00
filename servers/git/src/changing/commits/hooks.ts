import { verifyingHooks } from '../../call/hooks.ts';
import type { Opened } from '../../call/open-repository.ts';

/** Returns whether a commit runs the repository's hooks. */
export function hooksRun({ state }: Opened): boolean {
  return state === 'trusted';
}

/** Returns a notice of the hooks of a commit; undefined where there is none. */
export function hooksNotice(opened: Opened, skipped: boolean): string | undefined {
  if (!hooksRun(opened)) return opened.hooksOff;
  const left = skipped ? verifyingHooks(opened) : [];
  if (left.length > 0) return `on, but ${left.join(' and ')} ${left.length === 1 ? 'was' : 'were'} left out`;
  return opened.hasHooks ? 'on' : undefined;
}
