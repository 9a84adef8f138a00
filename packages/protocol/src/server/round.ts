import type { JsonText } from '../jsonrpc/message.ts';
import { revisions } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import type { Ask } from './ask.ts';
import type { Facts } from './context.ts';
import { encodeResult } from './encode.ts';
import { ToolError } from './failure.ts';
import type { InputRequired } from './input-required.ts';
import type { PagesRequired } from './page-visit.ts';
import type { Call, Registry, ScopeRequest } from './registry.ts';
import type { RoundAnswers, StateBinding } from './state.ts';

/** The questions of one call: real requests in the handshake era, rounds of the call in the stateless one. */
export class Round<S> implements ScopeRequest {
  readonly #server: Registry<S>;
  readonly #call: Call;
  #ask: Ask | undefined;
  #answers: RoundAnswers | undefined;
  #pending: InputRequired | undefined;

  /** `ask` replaces the way in which the call itself would ask. */
  constructor(server: Registry<S>, call: Call, ask?: Ask) {
    this.#server = server;
    this.#call = call;
    this.#ask = ask;
  }

  get facts(): Facts {
    return this.#call.facts;
  }

  get ask(): Ask {
    this.#ask ??= this.#makeAsk();
    return this.#ask;
  }

  /** Checks a state that came with the call, so that one that is not ours is refused whatever the tool does. */
  async verify(): Promise<void> {
    const { params } = this.#call;
    const states = await this.#server.requestStates();
    this.#answers = states.open(params.requestState, this.#binding());
    this.#answers.accept(params.inputResponses);
  }

  /** The answer to a question that came with the call, or with an earlier round of it. */
  known(key: string, request: t.InputRequest): t.InputResponse | undefined {
    return this.#answers?.find(key, request);
  }

  /** Starts what a call does: as a further round of it, as the first of one that may ask, or as it is. */
  start(asks: boolean, work: () => JsonText | Promise<JsonText>): JsonText | Promise<JsonText> {
    if (this.#call.params.requestState !== undefined) return this.verify().then(() => this.run(work));
    return asks || this.#server.asksForScope(this.facts) ? this.run(work) : work();
  }

  /** Runs work that may ask; open questions end it as an `input_required` result, even when it hid them. */
  async run(work: () => JsonText | Promise<JsonText>): Promise<JsonText> {
    try {
      const text = await work();
      return this.#pending === undefined ? text : await this.#encode(this.#pending);
    } catch (error) {
      if (this.#pending !== undefined) return this.#encode(this.#pending);
      throw error;
    }
  }

  /**
   * What becomes of a call that cannot go on before pages were visited: an error that names them, or a question for
   * each; a call that comes again before the pages have done their work is told so.
   */
  visit(required: PagesRequired): Promise<JsonText> {
    return this.run(async () => {
      const [{ url }, { refuseForPages }] = await Promise.all([
        import('./ask.ts'),
        import('./page-visit.ts'),
      ]);
      refuseForPages(this.facts, required);
      const needs = required.pages.map(
        (page, index) => [`page_${index + 1}`, url(page.message, page.url)] as const,
      );
      await this.ask(Object.fromEntries(needs));
      throw new ToolError('the page has not done its work yet', {
        code: 'page-not-visited',
        retryable: true,
        hint: 'ask the user to finish there, then try again',
      });
    });
  }

  /** Throws while a question is open, also when the code that asked has swallowed that. */
  assertAnswered(): void {
    if (this.#pending !== undefined) throw this.#pending;
  }

  #makeAsk(): Ask {
    const { facts, sink, serving } = this.#call;
    if (revisions[facts.revision].era === 'handshake')
      return async (needs) => (await import('./asking.ts')).askByRequests(facts, sink, serving)(needs);
    return async (needs) => {
      if (this.#answers === undefined) await this.verify();
      const { askByRounds } = await import('./asking.ts');
      const ask = askByRounds(
        facts,
        (key, request) => this.known(key, request),
        (pending) => {
          this.#pending = pending;
        },
      );
      return ask(needs);
    };
  }

  async #encode({ pending }: InputRequired): Promise<JsonText> {
    const states = await this.#server.requestStates();
    const { RoundAnswers: Answers } = await import('./state.ts');
    const requestState = states.seal(this.#answers ?? new Answers(undefined), pending, this.#binding());
    return encodeResult(this.#server, this.#call, {
      resultType: 'input_required',
      inputRequests: pending,
      requestState,
    });
  }

  #binding(): StateBinding {
    const { method, params, facts } = this.#call;
    return { method, params, principal: facts.principal };
  }
}
