import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { Era, Revision } from '../../protocol/revisions.ts';
import { given, holds } from './finding.ts';
import { greet, greetingParams, isSpoken } from './greeting.ts';
import { HttpWire } from './http-wire.ts';
import { type Listing, type ListMethod, listMembers, readList } from './listing.ts';
import { type Called, callSome, type Read, readSome, type WantedCall } from './samples.ts';
import { Talk } from './talk.ts';
import type { Answer, Wire } from './wire.ts';

/** Milliseconds that a server may take to end at the end of its input, where that is looked at. */
export const END_GRACE_MS = 5000;

export interface SceneOptions {
  /** a server that is a process has `endGrace` milliseconds to end at the end of its input, or the usual */
  readonly open: (revision: Revision, endGrace?: number) => Promise<Wire>;
  readonly revision: Revision;
  readonly patience: number;
  readonly call: WantedCall | undefined;
  /** milliseconds that a call may take which the user has not asked for; default 2000 */
  readonly trial?: number;
}

/** A server in one revision, and what has been seen of it. */
export class Scene {
  readonly #options: SceneOptions;
  readonly talk: Talk;
  /** the answer to `initialize` or `server/discover` */
  readonly greeting: Answer;
  readonly talks: Talk[];
  readonly #lists = new Map<ListMethod, Promise<Listing>>();
  #other: Promise<Talk> | undefined;
  #uninitialized: Promise<Talk> | undefined;
  #called: Promise<Called[]> | undefined;
  #read: Promise<Read[]> | undefined;

  private constructor(options: SceneOptions, talk: Talk, greeting: Answer) {
    this.#options = options;
    this.talk = talk;
    this.greeting = greeting;
    this.talks = [talk];
  }

  /** The server after a greeting in a revision; undefined when it does not have that revision. */
  static async open(options: SceneOptions): Promise<Scene | undefined> {
    const { revision, patience } = options;
    const talk = await Talk.open(() => options.open(revision), revision, patience);
    const greeting = await greet(talk);
    if (await isSpoken(talk, greeting)) return new Scene(options, talk, greeting);
    await talk.close();
    const { status } = greeting.http ?? {};
    if (status === 401 || status === 403)
      throw new Error(`the server answered with HTTP status ${status}; give credentials with --header`);
    return undefined;
  }

  get revision(): Revision {
    return this.talk.revision;
  }

  get era(): Era {
    return this.talk.era;
  }

  get patience(): number {
    return this.#options.patience;
  }

  get capabilities(): Params {
    const { capabilities } = this.greeting.result ?? {};
    return isObject(capabilities) ? capabilities : {};
  }

  has(capability: string): boolean {
    return isObject(this.capabilities[capability]);
  }

  /** Throws Unseen without the capability. */
  needs(capability: string): Params {
    const value = this.capabilities[capability];
    given(isObject(value), `the server has no ${capability}`);
    return value;
  }

  get http(): HttpWire {
    const { wire } = this.talk;
    given(wire instanceof HttpWire, 'this is not HTTP');
    return wire;
  }

  /** Another conversation, in which nothing has been said. */
  async another(endGrace?: number): Promise<Talk> {
    const { revision, patience, open } = this.#options;
    const talk = await Talk.open(() => open(revision, endGrace), revision, patience);
    this.talks.push(talk);
    return talk;
  }

  /** A second conversation, one for all that compare it with the first, and in the end look at its end. */
  other(): Promise<Talk> {
    this.#other ??= this.greeted(END_GRACE_MS);
    return this.#other;
  }

  /** A conversation whose handshake is never completed. */
  uninitialized(): Promise<Talk> {
    this.#uninitialized ??= this.another().then(async (talk) => {
      await talk.ask('initialize', greetingParams(talk.revision));
      return talk;
    });
    return this.#uninitialized;
  }

  /** Another conversation after its greeting. */
  async greeted(endGrace?: number): Promise<Talk> {
    const talk = await this.another(endGrace);
    if (talk.era === 'handshake') await greet(talk);
    return talk;
  }

  /** Every item of a list; throws Unseen where the server has none, Broken where it cannot be read. */
  async items(method: ListMethod): Promise<readonly Params[]> {
    const { items, problem } = await this.list(method);
    holds(problem === undefined, problem ?? '');
    return items;
  }

  list(method: ListMethod): Promise<Listing> {
    this.needs(listMembers[method][0]);
    const known = this.#lists.get(method);
    if (known !== undefined) return known;
    const reading = readList(this.talk, method);
    this.#lists.set(method, reading);
    return reading;
  }

  /** Calls of tools that say that they only read and need no arguments, and the one that the user wants. */
  async calls(): Promise<Called[]> {
    this.#called ??= this.items('tools/list').then((tools) =>
      callSome(this.talk, tools, this.#options.call, this.#options.trial),
    );
    const called = await this.#called;
    given(
      called.length > 0,
      'no tool that says that it only reads and needs no arguments has answered; name one with --call',
    );
    return called;
  }

  /** The first resources, read. */
  async reads(): Promise<Read[]> {
    this.#read ??= this.items('resources/list').then((resources) => readSome(this.talk, resources));
    const read = await this.#read;
    given(read.length > 0, 'the server lists no resources');
    return read;
  }

  async close(): Promise<void> {
    await Promise.all(this.talks.map((talk) => talk.close()));
  }
}
