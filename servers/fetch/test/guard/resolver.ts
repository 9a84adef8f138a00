import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Callback = Parameters<LookupFunction>[2];

/** Resolves the names of a table, and no others. */
export function tableLookup(table: Readonly<Record<string, string | readonly string[]>>): LookupFunction {
  return (hostname, _options, callback) => {
    const addresses = table[hostname.replace(/\.$/, '')];
    if (addresses === undefined)
      callback(Object.assign(new Error('unknown name'), { code: 'ENOTFOUND' }), '');
    else answer(callback, typeof addresses === 'string' ? [addresses] : addresses);
  };
}

/** A resolver of every name to one list of addresses after the other, repeating the last one, which follows aliases. */
export class Resolver {
  lookups = 0;
  readonly #answers: readonly (readonly string[])[];
  readonly #aliases: Readonly<Record<string, string>>;

  constructor(answers: readonly (readonly string[])[], aliases: Readonly<Record<string, string>> = {}) {
    this.#answers = answers;
    this.#aliases = aliases;
  }

  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const alias = this.#aliases[hostname];
    if (alias === undefined) answer(callback, this.next());
    else this.lookup(alias, options, callback);
  };

  next(): readonly string[] {
    return this.#answers[Math.min(this.lookups++, this.#answers.length - 1)] ?? [];
  }
}

/** Returns the result of a `lookup` for all addresses of a name. */
export function resolveAll(lookup: LookupFunction, hostname: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address));
    });
  });
}

function answer(callback: Callback, addresses: readonly string[]): void {
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  setImmediate(callback, null, found);
}
