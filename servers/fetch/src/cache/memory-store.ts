import { BoundedMap, type Bounds } from '../bounded-map.ts';
import type { Store, StoredResponse } from './stored-response.ts';

interface Kept {
  readonly key: string;
  readonly variant: string;
  readonly stored: StoredResponse;
}

const usual: Bounds = { count: 1000, bytes: 64 * 1024 * 1024 };

/** Responses in memory, within bounds, for the life of the process. */
export class MemoryStore implements Store {
  readonly #kept: BoundedMap<Kept>;
  readonly #variants = new Map<string, Set<string>>();

  constructor(bounds: Partial<Bounds> = {}) {
    this.#kept = new BoundedMap({ ...usual, ...bounds }, ({ key, variant }) => this.#forget(key, variant));
  }

  get bytes(): number {
    return this.#kept.bytes;
  }

  async find(key: string): Promise<readonly StoredResponse[]> {
    const variants = [...(this.#variants.get(key) ?? [])];
    return variants.flatMap((variant) => this.#kept.get(`${key} ${variant}`)?.stored ?? []);
  }

  async put(key: string, variant: string, stored: StoredResponse): Promise<void> {
    if (!this.#kept.put(`${key} ${variant}`, stored.owner, { key, variant, stored }, sizeOf(stored))) return;
    const variants = this.#variants.get(key) ?? new Set();
    this.#variants.set(key, variants.add(variant));
  }

  async remove(key: string, variant?: string): Promise<void> {
    const gone = variant === undefined ? [...(this.#variants.get(key) ?? [])] : [variant];
    for (const one of gone) this.#kept.delete(`${key} ${one}`);
  }

  #forget(key: string, variant: string): void {
    const variants = this.#variants.get(key);
    variants?.delete(variant);
    if (variants?.size === 0) this.#variants.delete(key);
  }
}

/** Returns the approximate size of a response in memory: its body, its fields and the objects around them. */
function sizeOf({ body, headers, url, finalUrl }: StoredResponse): number {
  const fields = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return body.length + 2 * (fields + url.length + finalUrl.length) + 1024;
}
