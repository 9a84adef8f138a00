import type { Change, Client, Subscription } from '@rootbound/protocol/client';
import type { Site } from './site.ts';

/** A subscriber's copy of memos: it reads a memo again only after a notification. */
export class Mirror {
  readonly #client: Client;
  readonly #site: Site;
  readonly #contents = new Map<string, string>();
  readonly #stale = new Set<string>();
  readonly #reading = new Set<string>();
  /** names in all notifications */
  readonly notified: string[] = [];
  #subscription: Subscription | undefined;
  /** set when the subscription has ended, with the fault */
  #end: { readonly fault: Error | undefined } | undefined;
  #waiting: (() => void)[] = [];

  constructor(client: Client, site: Site) {
    this.#client = client;
    this.#site = site;
  }

  /** Subscribes to memos and reads them for the first time. */
  async follow(...names: string[]): Promise<void> {
    const resourceSubscriptions = names.map((name) => `memo://${name}`);
    const filter = { resourceSubscriptions, toolsListChanged: true };
    this.#subscription = await this.#client.subscribe(filter, (change) => this.#hear(change));
    void this.#subscription.ended.then((fault) => {
      this.#end = { fault };
      this.#move();
    });
    for (const name of names) this.#read(name);
    await this.shows(...names);
  }

  /** Resolves when its copies are current and no read is pending. */
  async shows(...names: string[]): Promise<void> {
    while (!names.every((name) => this.isTrue(name)) || this.#reading.size > 0) {
      if (this.#end !== undefined && this.#reading.size === 0)
        throw new Error('the subscription has ended', { cause: this.#end.fault });
      await this.#moved();
    }
  }

  /** Resolves after this number of notifications of a name. */
  async hears(text: string, times = 1): Promise<void> {
    while (this.notified.filter((each) => each === text).length < times) await this.#moved();
  }

  isTrue(name: string): boolean {
    return this.#contents.get(name) === String(this.#site.version(name));
  }

  /** Returns the outdated copies, one line each. */
  faults(...names: string[]): string[] {
    return names
      .filter((name) => !this.isTrue(name))
      .map((name) => `${name} is ${this.#site.version(name)}, and the copy is ${this.#contents.get(name)}`);
  }

  /** Resolves with the fault that ended the subscription. */
  get ended(): Promise<Error | undefined> {
    return this.#subscription?.ended ?? Promise.resolve(undefined);
  }

  async close(): Promise<void> {
    await this.#subscription?.close();
  }

  #moved(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #move(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #hear(change: Change): void {
    const name = change.kind === 'list' ? change.list : change.uri.slice('memo://'.length);
    this.notified.push(name);
    if (change.kind === 'resource') this.#read(name);
    this.#move();
  }

  #read(name: string): void {
    this.#stale.add(name);
    if (this.#reading.has(name)) return;
    this.#reading.add(name);
    void this.#readAgain(name).finally(() => {
      this.#reading.delete(name);
      this.#move();
    });
  }

  /** Reads a memo until it did not change meanwhile; after a failure it waits for a server. */
  async #readAgain(name: string): Promise<void> {
    while (this.#stale.delete(name)) {
      try {
        const { contents } = await this.#client.readResource(`memo://${name}`, { fresh: true });
        const [content] = contents;
        if (content !== undefined && 'text' in content) this.#contents.set(name, content.text);
      } catch {
        // the test has ended, so the last notification has no effect
        if (this.#isOver) return;
        this.#stale.add(name);
        await Promise.all([this.#site.up(), new Promise(setImmediate)]);
      }
    }
  }

  get #isOver(): boolean {
    return this.#site.isClosed;
  }
}
