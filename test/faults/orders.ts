import type { HttpOptions } from '@rootbound/protocol/http';
import type { ConnectionLimits } from '@rootbound/protocol/socket';

/** What a server bears and keeps. */
export type Limits = ConnectionLimits & Pick<HttpOptions, 'eventLimits'>;

/** Where and how a server of these tests serves: on standard streams unless it is told a port or a socket. */
export interface Place {
  /** has the ledger of what was done, and the memos */
  folder: string;
  /** the socket over which the test gives orders */
  control: string;
  port?: number;
  socket?: string;
  limits?: Limits;
}

/** What a server says of itself once it serves. */
export interface Announcement {
  pid: number;
}

/** What a test makes a server do, beside what its clients want. */
export type Order =
  | { do: 'touch'; uris: readonly string[] }
  | { do: 'change'; list: 'tools' | 'prompts' }
  | { do: 'release' }
  | { do: 'count' }
  | { do: 'rest'; milliseconds: number }
  | { do: 'measure' };
