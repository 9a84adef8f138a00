import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as Port } from 'node:net';
import { json } from 'node:stream/consumers';

/** A call that the model asks for. */
export interface Call {
  readonly server: string;
  readonly tool: string;
  readonly arguments: object;
}

/** What one request to a model says, whatever its format. */
export interface Turn {
  /** names of tools, as the agent gives them to the model */
  readonly offered: readonly string[];
  /** what tools have given so far, as the model sees it */
  readonly results: readonly string[];
}

/** What a model answers: a call of a tool that was offered, or words. */
export type Answer = { readonly name: string; readonly arguments: object } | { readonly words: string };

/** A format in which agents speak to a model. */
export interface Wire {
  read(body: never): Turn;
  /** the body of a reply that comes in parts */
  stream(answer: Answer): string;
  /** the body of one that does not */
  whole(answer: Answer): object;
  isStream(path: string, body: never): boolean;
}

/** How the last that the model says begins. */
export const LAST_WORDS = 'The tools said:';

/** A model that asks for the given calls, one a turn, and then repeats what came of them. */
export class Model {
  /** the turns at which tools were offered */
  readonly turns: Turn[] = [];
  readonly #wire: Wire;
  readonly #calls: readonly Call[];
  readonly #server: Server;

  constructor(wire: Wire, calls: readonly Call[]) {
    this.#wire = wire;
    this.#calls = calls;
    this.#server = createServer((request, response) => {
      // what an agent sends that is no question to a model has no answer
      this.#serve(request, response).catch(() => response.writeHead(400).end());
    });
  }

  /** Answers at a port that listens already: its address. */
  async listen(port: Port): Promise<string> {
    return listenAt(this.#server, port);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const body = (await json(request)) as never;
    const answer = this.#answer(this.#wire.read(body));
    if (this.#wire.isStream(request.url!, body))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(this.#wire.stream(answer));
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(this.#wire.whole(answer)));
  }

  #answer(turn: Turn): Answer {
    // a title, a summary, or whether anyone is there
    if (turn.offered.length === 0) return { words: 'Agreed' };
    this.turns.push(turn);
    const call = this.#calls[turn.results.length];
    if (call === undefined) return { words: [LAST_WORDS, ...turn.results].join('\n') };
    const name = turn.offered.find((one) => isNameOf(call, one));
    return name === undefined
      ? { words: `${call.tool} of ${call.server} was not offered` }
      : { name, arguments: call.arguments };
  }
}

/** Whether an agent calls that tool so: after its server, and what the agent puts before both. */
export function isNameOf({ server, tool }: Pick<Call, 'server' | 'tool'>, name: string): boolean {
  return new RegExp(`^(mcp_+)?${server}_+${tool}$`).test(name);
}

/** Lets a server answer at a port that listens already: its address. */
export async function listenAt(server: Server, port: Port): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, resolve));
  const { port: number } = port.address() as { port: number };
  return `http://127.0.0.1:${number}`;
}

/** Events of a stream, as their data. */
export function events(data: readonly object[], name?: (datum: never) => string): string {
  return data
    .map(
      (datum) =>
        `${name === undefined ? '' : `event: ${name(datum as never)}\n`}data: ${JSON.stringify(datum)}\n\n`,
    )
    .join('');
}
