import type { Introduction } from '../../server/facts.ts';

/** What another process needs to take a session over. */
export interface SessionRecord {
  readonly introduction: Introduction;
  /** who began it; undefined without authorization */
  readonly principal: string | undefined;
}

/** Where sessions are written down so that any process of a fleet can serve them. */
export interface SessionStore {
  save(id: string, record: SessionRecord): void | Promise<void>;
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  remove(id: string): void | Promise<void>;
}
