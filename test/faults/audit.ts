import {
  AnswerLostError,
  type Client,
  type ClientRequestOptions,
  ConnectionError,
  RpcError,
} from '@rootbound/protocol/client';

/** The end of a call on the client's side. */
type Outcome = { answer: string } | { error: Error };

interface Entry {
  outcome: Outcome | undefined;
  readonly steps: string[];
}

let audits = 0;

function nextAudit(): number {
  audits += 1;
  return audits;
}

/** The calls of a test, whose results are compared with the actions of the server. */
export class Audit {
  readonly #calls = new Map<string, Entry>();
  readonly #prefix = `call-${nextAudit()}-`;
  #next = 0;

  /** Runs `act` with a new name; resolves with the name when the call has ended in any way. */
  call(client: Client, args: Record<string, unknown> = {}, options?: ClientRequestOptions): Promise<string> {
    const id = this.begin();
    return this.follow(id, client, args, options);
  }

  /** Returns the name of a later call; all names and hence all results have the same length. */
  begin(): string {
    this.#next += 1;
    const id = this.#prefix + String(this.#next).padStart(6, '0');
    this.#calls.set(id, { outcome: undefined, steps: [] });
    return id;
  }

  async follow(
    id: string,
    client: Client,
    args: Record<string, unknown> = {},
    options?: ClientRequestOptions,
  ): Promise<string> {
    const entry = this.#calls.get(id)!; // added by the call
    const forget = client.onLog(({ data }) => {
      if (String(data).startsWith(id)) entry.steps.push(String(data).slice(id.length + 1));
    });
    try {
      const { content } = await client.callTool('act', { id, ...args }, options);
      const [block] = content;
      this.#end(entry, { answer: block?.type === 'text' ? block.text : '' });
    } catch (error) {
      this.#end(entry, { error: error as Error }); // calls reject with an Error
    } finally {
      forget();
    }
    return id;
  }

  /** Returns whether a call was answered. */
  isAnswered(id: string): boolean {
    const outcome = this.#calls.get(id)?.outcome;
    return outcome !== undefined && 'answer' in outcome;
  }

  /** Returns the error of a call. */
  errorOf(id: string): Error | undefined {
    const outcome = this.#calls.get(id)?.outcome;
    return outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
  }

  /** Returns the log messages of a call in the order of arrival. */
  stepsOf(id: string): readonly string[] {
    return this.#calls.get(id)?.steps ?? [];
  }

  /** Returns the number of answered calls. */
  get answered(): number {
    return [...this.#calls.keys()].filter((id) => this.isAnswered(id)).length;
  }

  get calls(): number {
    return this.#calls.size;
  }

  /** Returns the faults, one line each. */
  faults(ledger: ReadonlyMap<string, number>): string[] {
    const known = [...this.#calls].flatMap(([id, { outcome, steps }]) => {
      const ran = ledger.get(`act ${id}`) ?? 0;
      const found = outcome === undefined ? ['has not ended'] : faultsOf(id, outcome, ran);
      if (ran > 1) found.push(`ran ${ran} times`);
      if (steps.some((step, index) => Number(step) <= Number(steps[index - 1] ?? 0)))
        found.push(`heard its steps as ${steps.join(' ')}`);
      return found.map((fault) => `${id} ${fault}`);
    });
    const strange = [...ledger.keys()].filter(
      (line) => line.startsWith(`act ${this.#prefix}`) && !this.#calls.has(line.slice('act '.length)),
    );
    return [...known, ...strange.map((line) => `${line} was never called`)];
  }

  #end(entry: Entry, outcome: Outcome): void {
    entry.outcome = outcome;
  }
}

function faultsOf(id: string, outcome: Outcome, ran: number): string[] {
  if ('answer' in outcome) {
    const other = outcome.answer.startsWith(`${id}:`)
      ? []
      : [`was answered with ${outcome.answer.slice(0, 80)}`];
    return ran === 0 ? [...other, 'was answered and never ran'] : other;
  }
  const { error } = outcome;
  // a server may refuse a call that it does not execute
  if (error instanceof RpcError && ran === 0) return [];
  if (!(error instanceof ConnectionError)) return [`failed with ${error.name}: ${error.message}`];
  const unreached =
    !(error instanceof AnswerLostError) && /cannot (?:be reached|connect)/.test(error.message);
  return unreached && ran > 0 ? [`ran, though its caller heard: ${error.message}`] : [];
}
