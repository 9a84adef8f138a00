import { join } from 'node:path';
import type { Revision } from '@rootbound/protocol';
import type { Change, Client, Subscription } from '@rootbound/protocol/client';
import { describe, expect, vi } from 'vitest';
import { type Target, toGitUri } from '../../src/call/git-uri.ts';
import { Repositories } from '../../src/call/repositories.ts';
import { newest } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

/** The tests of one body in both eras. */
export function inBothEras(body: (revision: Revision) => void): void {
  for (const revision of ['2025-11-25', newest] as const) describe(revision, () => body(revision));
}

export interface Repository extends Scratch {
  readonly top: string;
  readonly run: (...args: string[]) => Buffer;
  readonly commit: () => void;
}

/** A repository with one commit on main. */
export function repository(): Repository {
  const made = scratch();
  const top = join(made.folder, 'repo');
  made.git(made.folder, 'init', '-q', 'repo');
  const run = (...args: string[]) => made.git(top, ...args);
  const commit = () => void run('commit', '-q', '--allow-empty', '-m', 'next');
  commit();
  return { ...made, top, run, commit };
}

/** The notifications of one subscription. */
export class Notified {
  readonly seen: Change[] = [];
  #waiting: (() => void)[] = [];

  readonly heard = (change: Change): void => {
    this.seen.push(change);
    for (const wake of this.#waiting.splice(0)) wake();
  };

  /** Does something and resolves when it has been told. */
  async of(work: () => unknown): Promise<void> {
    const { length } = this.seen;
    await work();
    while (this.seen.length === length) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Does something that the server looks at, and then what is told: that and nothing before it. */
  async nothingOf(work: () => unknown, fence: () => unknown): Promise<void> {
    const { length } = this.seen;
    await looked(work);
    await this.of(fence);
    expect(this.seen.length - length).toBe(1);
  }
}

/** Does something and resolves when each has been told. */
export async function notifiedOf(all: readonly Notified[], work: () => unknown): Promise<void> {
  const waiting = all.map((reported) => reported.of(() => {}));
  work();
  await Promise.all(waiting);
}

/** Subscribes to what a target of a repository tells. */
export async function subscribed(
  client: Client,
  repository: string,
  target?: Target,
): Promise<Notified & { subscription: Subscription }> {
  const reported = new Notified();
  const subscription = await client.subscribe(toGitUri(repository, target), reported.heard);
  return Object.assign(reported, { subscription });
}

/** Does something and resolves when the server has looked at what came of it. */
export async function looked(work: () => unknown): Promise<void> {
  const spies = (['open', 'use', 'find'] as const).map((name) => vi.spyOn(Repositories.prototype, name));
  const results = () => spies.flatMap((spy) => spy.mock.results.map(({ value }) => value as unknown));
  try {
    work();
    while (results().length === 0) await new Promise((resolve) => setImmediate(resolve));
    await Promise.allSettled(results());
    // the comparison comes right after the answer
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
