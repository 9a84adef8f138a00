import type { Revision } from '@rootbound/protocol';
import type { Change, Client, Subscription } from '@rootbound/protocol/client';
import { describe, expect } from 'vitest';
import { type Target, toSqliteUri } from '../../src/resources/uri.ts';
import { newest } from '../harness.ts';

/** Defines the same tests for a revision of each era. */
export function inBothEras(body: (revision: Revision) => void): void {
  for (const revision of ['2025-11-25', newest] as const) describe(revision, () => body(revision));
}

/** The notifications of one subscription. */
export class Notifications {
  readonly seen: Change[] = [];
  #waiting: (() => void)[] = [];

  readonly heard = (change: Change): void => {
    this.seen.push(change);
    for (const wake of this.#waiting.splice(0)) wake();
  };

  /** Resolves when there were this many notifications. */
  async reaches(count: number): Promise<void> {
    while (this.seen.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Runs `work` and resolves after the next notification. */
  async of(work: () => unknown): Promise<void> {
    const { length } = this.seen;
    await work();
    await this.reaches(length + 1);
  }
}

/** The notifications of several resources of one database, by name. */
export class Subscribed<Name extends string> {
  readonly #byName: ReadonlyMap<Name, Notifications>;
  readonly subscriptions: readonly Subscription[];

  constructor(byName: ReadonlyMap<Name, Notifications>, subscriptions: readonly Subscription[]) {
    this.#byName = byName;
    this.subscriptions = subscriptions;
  }

  byName(name: Name): Notifications {
    return this.#byName.get(name)!;
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.#byName].map(([name, { seen }]) => [name, seen.length]));
  }

  /**
   * Returns the names that are notified of `work`. `fence` runs after it, of which `by` is notified exactly once. A row
   * is read again after each check that found its table changed, so as `by` it can be notified early if the check
   * before it covered both: name `expected` then, which are awaited first.
   */
  async notifiedBy(
    work: () => unknown,
    by: Name,
    fence: () => unknown,
    expected: readonly Name[] = [],
  ): Promise<string[]> {
    const before = this.counts();
    const fenced = this.byName(by);
    await work();
    for (const name of expected) await this.byName(name).reaches(before[name]! + 1);
    await fenced.of(fence);
    const after = this.counts();
    expect(after[by]! - before[by]!, 'the fence is told once').toBe(1);
    return Object.keys(after).filter((name) => name !== by && after[name]! > before[name]!);
  }
}

export async function subscribed<Name extends string>(
  client: Client,
  database: string,
  targets: Readonly<Record<Name, Target>>,
): Promise<Subscribed<Name>> {
  const byName = new Map<Name, Notifications>();
  const subscriptions: Subscription[] = [];
  for (const [name, target] of Object.entries(targets) as [Name, Target][]) {
    const own = new Notifications();
    byName.set(name, own);
    subscriptions.push(await client.subscribe(toSqliteUri(database, target), own.heard));
  }
  return new Subscribed(byName, subscriptions);
}
