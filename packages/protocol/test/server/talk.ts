import type { Server } from '../../src/index.ts';
import { type Revision, revisions } from '../../src/protocol/revisions.ts';
import { type MemoryEnd, serveMemory } from '../../src/testing.ts';
import { Conversation } from '../wire/conversation.ts';
import type { Message } from '../wire/message.ts';

/** The capabilities of a client that answers everything. */
export const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

/** Answers a request of the server: returns the result, or `{ error }`. */
export type Person = (question: Message) => object;

/** The response to a call, and its questions. */
export interface Outcome {
  answer: Message;
  questions: Message[];
  /** number of responses that required input; 0 in the handshake era */
  rounds: number;
}

export interface TalkOptions {
  capabilities?: object;
  /** the first roots of a handshake client; `later` leaves the response to the test */
  folders?: readonly object[] | 'later';
  /** the streams; default those of a server in memory */
  end?: MemoryEnd;
}

const facts = (capabilities: object): object => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1.0.0' },
});

/** A client of one revision that sends literal lines; received messages are checked against the official schema. */
export class Talk {
  readonly wire: Conversation;
  readonly revision: Revision;
  readonly stateless: boolean;
  readonly #capabilities: object;
  #last = 0;

  constructor(end: MemoryEnd, revision: Revision, capabilities: object) {
    this.wire = new Conversation(end, revision);
    this.revision = revision;
    this.stateless = revisions[revision].era === 'stateless';
    this.#capabilities = capabilities;
  }

  /** Returns one request of the revision as a line. */
  line(id: string | number, method: string, params: object = {}, meta: object = {}): string {
    const _meta = { ...(this.stateless && facts(this.#capabilities)), ...meta };
    const sent = Object.keys(_meta).length === 0 ? params : { ...params, _meta };
    return JSON.stringify({ jsonrpc: '2.0', id, method, params: sent });
  }

  /** Sends one request and returns its response; questions in between are answered by the person. */
  async request(method: string, params: object = {}, person?: Person): Promise<Message> {
    const id = ++this.#last;
    this.wire.say(this.line(id, method, params));
    for (;;) {
      const message = await this.wire.next();
      if (message.method === undefined && message.id === id) return message;
      if (message.method === undefined || message.id === undefined) continue;
      if (person === undefined) throw new Error(`nobody answers ${message.method}`);
      this.reply(message.id, person(message));
    }
  }

  /** Responds to a request of the server. */
  reply(id: string | number, result: object): void {
    const member = 'error' in result ? result : { result };
    this.wire.say(JSON.stringify({ jsonrpc: '2.0', id, ...member }));
  }

  call(name: string, args: object = {}, more: object = {}, person?: Person): Promise<Message> {
    return this.request('tools/call', { name, arguments: args, ...more }, person);
  }

  /** Sends a request and answers its questions, in the way of the era, until it has its final response. */
  async settle(method: string, params: object, person: Person): Promise<Outcome> {
    const questions: Message[] = [];
    const asked: Person = (question) => {
      questions.push(question);
      return person(question);
    };
    let answer = await this.request(method, params, asked);
    let rounds = 0;
    for (; answer.result?.resultType === 'input_required'; rounds++) {
      const { inputRequests, requestState } = answer.result;
      const inputResponses = Object.fromEntries(
        Object.entries(inputRequests).map(([key, question]) => [key, asked(question)]),
      );
      answer = await this.request(method, { ...params, inputResponses, requestState });
    }
    return { answer, questions, rounds };
  }

  settleCall(name: string, args: object, person: Person): Promise<Outcome> {
    return this.settle('tools/call', { name, arguments: args }, person);
  }
}

/** Returns a talk before the handshake. */
export function begin<S>(server: Server<S>, revision: Revision, options: TalkOptions = {}): Talk {
  return new Talk(options.end ?? serveMemory(server), revision, options.capabilities ?? {});
}

/** Returns a talk after the handshake, if the revision has one. */
export async function talkTo<S>(
  server: Server<S>,
  revision: Revision,
  options: TalkOptions = {},
): Promise<Talk> {
  const talk = begin(server, revision, options);
  if (talk.stateless) return talk;
  const { capabilities = {} } = options;
  await talk.request('initialize', {
    protocolVersion: revision,
    capabilities,
    clientInfo: { name: 'tester', version: '1.0.0' },
  });
  talk.wire.say('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  const { folders = [] } = options;
  if ('roots' in capabilities && folders !== 'later') {
    const { id } = await talk.wire.until(({ method }) => method === 'roots/list');
    talk.reply(id, { roots: folders });
  }
  return talk;
}

/** Returns the text of the first block of a tool result. */
export function textOf({ result }: Message): string {
  return result.content[0].text;
}
