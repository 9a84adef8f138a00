import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { Era, Revision } from '../../protocol/revisions.ts';
import { given, holds } from './finding.ts';
import { greet, greetingParams, isSupported } from './greeting.ts';
import { HttpWire } from './http-wire.ts';
import { type Listing, type ListMethod, listMembers, readList } from './listing.ts';
import { callSome, readSome, type SampleCall, type SampleRead, type WantedCall } from './samples.ts';
import { Talk } from './talk.ts';
import type { Answer, Wire } from './wire.ts';

/** The time that a server may take to exit at the end of its input in the check of that, in milliseconds. */
export const END_GRACE_MS = 5000;

export interface SceneOptions {
  /** opens a connection; a process gets `endGrace` milliseconds to exit at the end of its input, or the default */
  readonly open: (revision: Revision, endGrace?: number) => Promise<Wire>;
  readonly revision: Revision;
  readonly patience: number;
  readonly call: WantedCall | undefined;
  /** timeout in milliseconds of a call that the user has not asked for; default 2000 */
  readonly trial?: number;
}

/** A server in one revision, with cached results of the check. */
export class Scene {
  readonly #options: SceneOptions;
  readonly talk: Talk;
  /** the response to `initialize` or `server/discover` */
  readonly greeting: Answer;
  readonly talks: Talk[];
  readonly #lists = new Map<ListMethod, Promise<Listing>>();
  #other: Promise<Talk> | undefined;
  #uninitialized: Promise<Talk> | undefined;
  #called: Promise<SampleCall[]> | undefined;
  #read: Promise<SampleRead[]> | undefined;

  private constructor(options: SceneOptions, talk: Talk, greeting: Answer) {
    this.#options = options;
    this.talk = talk;
    this.greeting = greeting;
    this.talks = [talk];
  }

  /**
   * Opens a connection and sends the first request; returns undefined if the server does not support the
   * revision.
   */
  static async open(options: SceneOptions): Promise<Scene | undefined> {
    const { revision, patience } = options;
    const talk = await Talk.open(() => options.open(revision), revision, patience);
    const greeting = await greet(talk);
    if (await isSupported(talk, greeting)) return new Scene(options, talk, greeting);
    await talk.close();
    const { status } = greeting.http ?? {};
    if (status === 401 || status === 403)
      throw new Error(`the server responded with HTTP status ${status}; give credentials with --header`);
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

  /** Returns the capability; throws Unseen without it. */
  needs(capability: string): Params {
    const value = this.capabilities[capability];
    given(isObject(value), `the server has no ${capability}`);
    return value;
  }

  get http(): HttpWire {
    const { wire } = this.talk;
    given(wire instanceof HttpWire, 'the transport is not HTTP');
    return wire;
  }

  /** Opens another connection without sending anything. */
  async another(endGrace?: number): Promise<Talk> {
    const { revision, patience, open } = this.#options;
    const talk = await Talk.open(() => open(revision, endGrace), revision, patience);
    this.talks.push(talk);
    return talk;
  }

  /** Returns a second connection, shared by the rules that compare it with the first or check its end. */
  other(): Promise<Talk> {
    this.#other ??= this.greeted(END_GRACE_MS);
    return this.#other;
  }

  /** Returns a connection without `initialized`. */
  uninitialized(): Promise<Talk> {
    this.#uninitialized ??= this.another().then(async (talk) => {
      await talk.ask('initialize', greetingParams(talk.revision));
      return talk;
    });
    return this.#uninitialized;
  }

  /** Opens another connection and sends the first request. */
  async greeted(endGrace?: number): Promise<Talk> {
    const talk = await this.another(endGrace);
    if (talk.era === 'handshake') await greet(talk);
    return talk;
  }

  /** Returns all items of a list; throws Unseen if the server has none, Broken if it cannot be read. */
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

  /** Returns calls of read-only tools without required arguments, and of the tool that the user asked for. */
  async calls(): Promise<SampleCall[]> {
    this.#called ??= this.items('tools/list').then((tools) =>
      callSome(this.talk, tools, this.#options.call, this.#options.trial),
    );
    const called = await this.#called;
    given(
      called.length > 0,
      'no read-only tool without required arguments has responded; name a tool with --call',
    );
    return called;
  }

  /** Returns reads of the first resources. */
  async reads(): Promise<SampleRead[]> {
    this.#read ??= this.items('resources/list').then((resources) => readSome(this.talk, resources));
    const read = await this.#read;
    given(read.length > 0, 'the server lists no resources');
    return read;
  }

  async close(): Promise<void> {
    await Promise.all(this.talks.map((talk) => talk.close()));
  }
}
