import type { Facts, Session } from '../context.ts';

const sessions = new WeakMap<Session, string>();

/**
 * Whose a task is: the principal's, or that of the session where nobody is known. Without either, the id of a task
 * is all that there is, so that whoever knows it may use it.
 */
export function ownerOf({ principal, session }: Facts): string {
  if (principal !== undefined) return `principal ${principal}`;
  return session === undefined ? 'anyone' : ownerOfSession(session);
}

/** The owner of what a session without a principal began. */
export function ownerOfSession(session: Session): string {
  let owner = sessions.get(session);
  if (owner === undefined) {
    owner = `session ${globalThis.crypto.randomUUID()}`;
    sessions.set(session, owner);
  }
  return owner;
}
