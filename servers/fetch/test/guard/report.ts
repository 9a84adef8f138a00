/** The result of one attempt to reach a target. */
export interface Attempt {
  /** `answered`, `failed`, or the code of the refusal */
  readonly outcome: string;
  /** whether a connection was made, to any target */
  readonly connected: boolean;
}

/** One connection of a rebinding scenario: where it arrived, or the code of the refusal. */
export type Connection = readonly string[] | string;

export interface Rebinding {
  readonly name: string;
  readonly connections: readonly Connection[];
  /** number of name resolutions */
  readonly lookups: number;
  /** where unguarded connections arrived, with the same answers of the resolver */
  readonly unguarded: readonly string[];
}

/** The results of the program in its network namespace. */
export interface Report {
  readonly ipv6: boolean;
  readonly guarded: Readonly<Record<string, Attempt>>;
  /** where connections arrived while the guard was active */
  readonly guardedArrivals: readonly string[];
  readonly unguarded: Readonly<Record<string, Attempt>>;
  readonly unguardedArrivals: readonly string[];
  /** of `lookup` alone, in sockets of `node:net` */
  readonly plain: Readonly<Record<string, string>>;
  readonly plainArrivals: readonly string[];
  /** where connections to public addresses arrived */
  readonly public: Readonly<Record<string, readonly string[]>>;
  readonly rebinding: readonly Rebinding[];
  /** two requests over one connection, between which the name resolved to another address */
  readonly kept: { readonly arrivals: readonly string[]; readonly lookups: number };
}
