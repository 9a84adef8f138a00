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

/**
 * The questions of one call: requests to the client in the handshake era, rounds of the call in the stateless
 * era.
 */
export class Round<S> implements ScopeRequest {
  readonly #server: Registry<S>;
  readonly #call: Call;
  #ask: Ask | undefined;
  #answers: RoundAnswers | undefined;
  #pending: InputRequired | undefined;

  /** `ask` replaces the default way to ask. */
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

  /** Checks the request state of the call; throws for an invalid one, whether or not the tool uses it. */
  async verify(): Promise<void> {
    const { params } = this.#call;
    const states = await this.#server.requestStates();
    this.#answers = states.open(params.requestState, this.#binding());
    this.#answers.accept(params.inputResponses);
  }

  /** Returns the response to a question from this call or an earlier round. */
  known(key: string, request: t.InputRequest): t.InputResponse | undefined {
    return this.#answers?.find(key, request);
  }

  /** Starts a call: as a further round if it has a request state, as a first round if it may ask, or directly. */
  start(asks: boolean, work: () => JsonText | Promise<JsonText>): JsonText | Promise<JsonText> {
    if (this.#call.params.requestState !== undefined) return this.verify().then(() => this.run(work));
    return asks || this.#server.asksForScope(this.facts) ? this.run(work) : work();
  }

  /** Runs work that may ask. Open questions end it with an `input_required` result, even if it caught their error. */
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
   * Returns the response to a call that requires page visits: an error that lists the pages, or a question
   * for each. A repeated call before the user has finished gets an error result.
   */
  visit(required: PagesRequired): Promise<JsonText> {
    return this.run(async () => {
      const [{ url }, { throwPagesRequired: refuseForPages }] = await Promise.all([
        import('./ask.ts'),
        import('./page-visit.ts'),
      ]);
      refuseForPages(this.facts, required);
      const needs = required.pages.map(
        (page, index) => [`page_${index + 1}`, url(page.message, page.url)] as const,
      );
      await this.ask(Object.fromEntries(needs));
      throw new ToolError('the user has not finished on the page yet', {
        code: 'page-not-visited',
        retryable: true,
        hint: 'ask the user to finish there, then try again',
      });
    });
  }

  /** Throws if a question is open, even if the code that asked caught the error. */
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
