import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as Port } from 'node:net';
import { json } from 'node:stream/consumers';

/** A tool call of the model. */
export interface Call {
  readonly server: string;
  readonly tool: string;
  readonly arguments: object;
}

/** One request to a model, independent of the format. */
export interface Turn {
  /** names of the offered tools */
  readonly offered: readonly string[];
  /** results of tools so far */
  readonly results: readonly string[];
}

/** A model's answer: a call of an offered tool, or text. */
export type Answer = { readonly name: string; readonly arguments: object } | { readonly words: string };

/** A wire format between agents and models. */
export interface Wire {
  read(body: never): Turn;
  /** the body of a streamed response */
  stream(answer: Answer): string;
  /** the body of a complete response */
  whole(answer: Answer): object;
  isStream(path: string, body: never): boolean;
}

/** Beginning of the last text of the model. */
export const LAST_WORDS = 'The tools said:';

/** A model that makes the given calls, one per turn, and then repeats their results. */
export class Model {
  /** the turns in which tools were offered */
  readonly turns: Turn[] = [];
  readonly #wire: Wire;
  readonly #calls: readonly Call[];
  readonly #server: Server;

  constructor(wire: Wire, calls: readonly Call[]) {
    this.#wire = wire;
    this.#calls = calls;
    this.#server = createServer((request, response) => {
      // other requests of an agent get an empty response
      this.#serve(request, response).catch(() => response.writeHead(400).end());
    });
  }

  /** Serves at a listening port; returns its address. */
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
    // a request for a title or a summary, or a health check
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

/** Returns whether a name is the agent's name for a tool: its own prefix, the server and the tool. */
export function isNameOf({ server, tool }: Pick<Call, 'server' | 'tool'>, name: string): boolean {
  return new RegExp(`^(mcp_+)?${server}_+${tool}$`).test(name);
}

/** Serves at a listening port; returns its address. */
export async function listenAt(server: Server, port: Port): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, resolve));
  const { port: number } = port.address() as { port: number };
  return `http://127.0.0.1:${number}`;
}

/** Encodes data as server-sent events. */
export function events(data: readonly object[], name?: (datum: never) => string): string {
  return data
    .map(
      (datum) =>
        `${name === undefined ? '' : `event: ${name(datum as never)}\n`}data: ${JSON.stringify(datum)}\n\n`,
    )
    .join('');
}
