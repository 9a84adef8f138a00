import type { HttpOptions } from '@rootbound/protocol/http';
import type { ConnectionLimits } from '@rootbound/protocol/socket';

/** The limits of a server. */
export type Limits = ConnectionLimits & Pick<HttpOptions, 'eventLimits'>;

/** The address and limits of a server: standard streams, unless it has a port or a socket. */
export interface Place {
  /** contains the ledger of executed calls, and the memos */
  folder: string;
  /** the socket for the test's orders */
  control: string;
  port?: number;
  socket?: string;
  limits?: Limits;
}

/** The facts that a server sends once it serves. */
export interface Announcement {
  pid: number;
}

/** An order of a test to a server. */
export type Order =
  | { do: 'touch'; uris: readonly string[] }
  | { do: 'change'; list: 'tools' | 'prompts' }
  | { do: 'release' }
  | { do: 'count' }
  | { do: 'rest'; milliseconds: number }
  | { do: 'measure' };
