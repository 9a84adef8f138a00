import type { Introduction } from '../../server/facts.ts';

/**
 * The data that another process needs to serve a session.
 * @example
 * const record: SessionRecord = {
 *   introduction: { revision: '2025-11-25', capabilities: {}, client: { name: 'example', version: '1.0.0' } },
 *   principal: undefined,
 * };
 */
export interface SessionRecord {
  readonly introduction: Introduction;
  /** the principal that started it; undefined without authorization */
  readonly principal: string | undefined;
}

/**
 * A store of sessions, so that every process of a cluster can serve them.
 * @example
 * const sessions = new Map<string, SessionRecord>();
 * const sessionStore: SessionStore = {
 *   save: (id, record) => void sessions.set(id, record),
 *   load: (id) => sessions.get(id),
 *   remove: (id) => void sessions.delete(id),
 * };
 * createHttpHandler(server, { sessionStore });
 */
export interface SessionStore {
  save(id: string, record: SessionRecord): void | Promise<void>;
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  remove(id: string): void | Promise<void>;
}
