import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { Era, Revision } from '../../protocol/revisions.ts';
import { given, holds } from './finding.ts';
import { HttpWire } from './http-wire.ts';
import { type Listing, type ListMethod, listMembers, readList } from './listing.ts';
import { greetingParams, Talk } from './talk.ts';
import type { Answer, Wire } from './wire.ts';

/** A call of a tool and what came of it. */
export interface Called {
  readonly tool: Params;
  readonly answer: Answer;
}

/** A tool that the user wants to be called. */
export interface WantedCall {
  readonly name: string;
  argsFor(inputSchema: Params): Params;
}

export interface SceneOptions {
  readonly open: (revision: Revision) => Promise<Wire>;
  readonly revision: Revision;
  readonly patience: number;
  readonly call: WantedCall | undefined;
}

/** Most tools that are called unasked; all of them say that they only read. */
const MOST_CALLS = 5;
const MOST_READS = 5;

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
  #read: Promise<{ uri: string; answer: Answer }[]> | undefined;

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
  async another(): Promise<Talk> {
    const { revision, patience, open } = this.#options;
    const talk = await Talk.open(() => open(revision), revision, patience);
    this.talks.push(talk);
    return talk;
  }

  /** A second conversation, one for all that compare it with the first. */
  other(): Promise<Talk> {
    this.#other ??= this.greeted();
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
  async greeted(): Promise<Talk> {
    const talk = await this.another();
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
    this.#called ??= this.#call();
    const called = await this.#called;
    given(called.length > 0, 'no tool says that it only reads and needs no arguments; name one with --call');
    return called;
  }

  /** The first resources, read. */
  async reads(): Promise<{ uri: string; answer: Answer }[]> {
    this.#read ??= this.#readSome();
    const read = await this.#read;
    given(read.length > 0, 'the server lists no resources');
    return read;
  }

  async close(): Promise<void> {
    await Promise.all(this.talks.map((talk) => talk.close()));
  }

  async #call(): Promise<Called[]> {
    const { call } = this.#options;
    const tools = await this.items('tools/list');
    const wanted = tools.find(({ name }) => name === call?.name);
    given(call === undefined || wanted !== undefined, `the server has no tool ${call?.name}`);
    const harmless = tools.filter((tool) => tool !== wanted && isHarmless(tool)).slice(0, MOST_CALLS);
    const called: Called[] = [];
    for (const tool of wanted === undefined ? harmless : [wanted, ...harmless]) {
      const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
      const args = tool === wanted ? (call?.argsFor(schema) ?? {}) : {};
      const answer = await this.talk.ask('tools/call', { name: tool.name, arguments: args });
      called.push({ tool, answer });
    }
    return called;
  }

  async #readSome(): Promise<{ uri: string; answer: Answer }[]> {
    const read: { uri: string; answer: Answer }[] = [];
    const resources = await this.items('resources/list');
    for (const { uri } of resources.slice(0, MOST_READS)) {
      if (typeof uri !== 'string') continue;
      read.push({ uri, answer: await this.talk.ask('resources/read', { uri }) });
    }
    return read;
  }
}

/** Says hello as the era wants it. */
export async function greet(talk: Talk): Promise<Answer> {
  if (talk.era === 'stateless') return talk.ask('server/discover');
  const greeting = await talk.ask('initialize', greetingParams(talk.revision));
  if (greeting.result !== undefined) await talk.tell('notifications/initialized');
  return greeting;
}

/** Whether a server has the revision of a conversation, by its answer to the greeting. */
async function isSpoken(talk: Talk, { result }: Answer): Promise<boolean> {
  if (talk.era === 'handshake') {
    const version = result?.protocolVersion;
    return result !== undefined && (typeof version !== 'string' || version === talk.revision);
  }
  if (result !== undefined) return true;
  // a stateless server without its greeting still answers as only those of its era do
  return typeof (await talk.ask('tools/list')).result?.resultType === 'string';
}

/** Whether a tool can be called only to see what it says: it says so itself, and wants no arguments. */
function isHarmless({ annotations, inputSchema }: Params): boolean {
  if (!isObject(annotations) || annotations.readOnlyHint !== true || !isObject(inputSchema)) return false;
  const { required } = inputSchema;
  return required === undefined || (Array.isArray(required) && required.length === 0);
}
