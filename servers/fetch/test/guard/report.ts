/** What came of one try to reach something. */
export interface Attempt {
  /** `answered`, `failed`, or the code of the refusal */
  readonly outcome: string;
  /** whether a connection was made, to wherever */
  readonly connected: boolean;
}

/** One connection of a rebinding scenario: where it arrived, or the code of the refusal. */
export type Connection = readonly string[] | string;

export interface Rebinding {
  readonly name: string;
  readonly connections: readonly Connection[];
  /** how often names were resolved */
  readonly lookups: number;
  /** where connections arrived that were made in the same order to what the resolver said, unguarded */
  readonly unguarded: readonly string[];
}

/** What the program in the network of its own has found. */
export interface Report {
  readonly ipv6: boolean;
  readonly guarded: Readonly<Record<string, Attempt>>;
  /** where connections arrived while the guard was on */
  readonly guardedArrivals: readonly string[];
  readonly unguarded: Readonly<Record<string, Attempt>>;
  readonly unguardedArrivals: readonly string[];
  /** of `lookup` alone, in sockets of `node:net` */
  readonly plain: Readonly<Record<string, string>>;
  readonly plainArrivals: readonly string[];
  /** where connections to public addresses arrived */
  readonly public: Readonly<Record<string, readonly string[]>>;
  readonly rebinding: readonly Rebinding[];
  /** two requests over one connection, between which the name has come to lead elsewhere */
  readonly kept: { readonly arrivals: readonly string[]; readonly lookups: number };
}
