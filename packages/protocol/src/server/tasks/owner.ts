import type { Facts, Session } from '../context.ts';

const sessions = new WeakMap<Session, string>();

/**
 * Returns the owner of a task: the principal or, without authorization, the session. Without both, everybody
 * who knows the id of a task can access it.
 */
export function ownerOf({ principal, session }: Facts): string {
  if (principal !== undefined) return `principal ${principal}`;
  return session === undefined ? 'anyone' : ownerOfSession(session);
}

/** Returns the owner of the tasks of a session without a principal. */
export function ownerOfSession(session: Session): string {
  let owner = sessions.get(session);
  if (owner === undefined) {
    owner = `session ${globalThis.crypto.randomUUID()}`;
    sessions.set(session, owner);
  }
  return owner;
}
