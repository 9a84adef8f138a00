import {
  AnswerLostError,
  type Client,
  type ClientRequestOptions,
  ConnectionError,
  RpcError,
} from '@rootbound/protocol/client';

/** How a call ended on the client's side. */
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

/** The calls of a test: what their caller was told, against what the server has done. */
export class Audit {
  readonly #calls = new Map<string, Entry>();
  readonly #prefix = `call-${nextAudit()}-`;
  #next = 0;

  /** Calls `act` under a name of its own; resolves, with the name, when the call has ended in whatever way. */
  call(client: Client, args: Record<string, unknown> = {}, options?: ClientRequestOptions): Promise<string> {
    const id = this.begin();
    return this.follow(id, client, args, options);
  }

  /** The name of a call that is to come; names are of one length, so that their answers are too. */
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
    const entry = this.#calls.get(id)!; // it was begun
    const forget = client.onLog(({ data }) => {
      if (String(data).startsWith(id)) entry.steps.push(String(data).slice(id.length + 1));
    });
    try {
      const { content } = await client.callTool('act', { id, ...args }, options);
      const [block] = content;
      this.#end(entry, { answer: block?.type === 'text' ? block.text : '' });
    } catch (error) {
      this.#end(entry, { error: error as Error }); // calls reject with errors
    } finally {
      forget();
    }
    return id;
  }

  /** Whether a call was answered. */
  isAnswered(id: string): boolean {
    const outcome = this.#calls.get(id)?.outcome;
    return outcome !== undefined && 'answer' in outcome;
  }

  /** Why a call was not answered. */
  errorOf(id: string): Error | undefined {
    const outcome = this.#calls.get(id)?.outcome;
    return outcome !== undefined && 'error' in outcome ? outcome.error : undefined;
  }

  /** The log messages of a call, in the order in which they came. */
  stepsOf(id: string): readonly string[] {
    return this.#calls.get(id)?.steps ?? [];
  }

  /** How many calls were answered. */
  get answered(): number {
    return [...this.#calls.keys()].filter((id) => this.isAnswered(id)).length;
  }

  get calls(): number {
    return this.#calls.size;
  }

  /** What should not have been: one line for each. */
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
  // a server may say that it does not take a call, as long as it does not
  if (error instanceof RpcError && ran === 0) return [];
  if (!(error instanceof ConnectionError)) return [`failed with ${error.name}: ${error.message}`];
  const unreached =
    !(error instanceof AnswerLostError) && /cannot (?:be reached|connect)/.test(error.message);
  return unreached && ran > 0 ? [`ran, though its caller heard: ${error.message}`] : [];
}
