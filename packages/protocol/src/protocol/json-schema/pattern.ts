import type { Budget } from './budget.ts';
import { SchemaError } from './failure.ts';
import { type CharSet, isWord } from './pattern-sets.ts';
import { type Expression, parsePattern } from './pattern-syntax.ts';

/** A regular expression that is matched in time linear in the text, for any pattern. */
export interface Pattern {
  matches(text: string, budget: Budget): boolean;
}

/** The maximum numbers of states and of lookarounds in one pattern. */
const MAX_STATES = 20_000;
const MAX_LOOKS = 50;

/** Compiles a pattern; throws SchemaError for one that cannot be matched in linear time. */
export function compilePattern(source: string): Pattern {
  const looks: Look[] = [];
  const main = new Machine(parsePattern(source), false, looks);
  return {
    matches(text, budget) {
      const codes = codePoints(text);
      const answers: Answers[] = [];
      // inner lookarounds come first, because outer ones need their results
      for (const { machine, negative } of looks) {
        const found = machine.everywhere(codes, answers, budget);
        answers.push(negative ? found.map((bit) => 1 - bit) : found);
      }
      return machineFinds(main, codes, answers, budget);
    },
  };
}

function machineFinds(
  machine: Machine,
  codes: Uint32Array,
  answers: readonly Answers[],
  budget: Budget,
): boolean {
  let found = false;
  machine.search(codes, answers, budget, () => {
    found = true;
    return false;
  });
  return found;
}

/** The result of a lookaround at each position between two characters. */
type Answers = Uint8Array;

interface Look {
  machine: Machine;
  negative: boolean;
}

type Edge = Extract<Expression, { kind: 'edge' }>['edge'];

/** One state of a machine: it consumes a character, tests the position, or continues in one or two states at once. */
type State =
  | { kind: 'take'; set: CharSet; next: number }
  | { kind: 'fork'; next: number; other: number }
  | { kind: 'edge'; edge: Edge; next: number }
  | { kind: 'look'; look: number; next: number }
  | { kind: 'match' };

/** A nondeterministic automaton, simulated in all states at once. A backward one reads the text from its end. */
class Machine {
  readonly #states: State[] = [];
  readonly #backward: boolean;
  readonly #looks: Look[];
  readonly #start: number;

  constructor(expression: Expression, backward: boolean, looks: Look[]) {
    this.#backward = backward;
    this.#looks = looks;
    this.#start = this.#build(expression, this.#add({ kind: 'match' }));
  }

  /** Calls `matched` with the position at which each match ends, in reading order, until it returns false. */
  search(
    codes: Uint32Array,
    answers: readonly Answers[],
    budget: Budget,
    matched: (place: number) => boolean,
  ): void {
    const marks = new Uint32Array(this.#states.length);
    let entered: number[] = [];
    for (let turn = 0; turn <= codes.length; turn++) {
      const place = this.#backward ? codes.length - turn : turn;
      // a match may start at every position
      entered.push(this.#start);
      const { takers, found, visited } = this.#settle(entered, marks, turn + 1, codes, place, answers);
      budget.spendOnPatterns(visited);
      if ((found && !matched(place)) || turn === codes.length) return;
      const code = codes[this.#backward ? place - 1 : place]!;
      entered = [];
      for (const { set, next } of takers) if (set(code)) entered.push(next);
    }
  }

  /** Returns for each position whether a match ends there. */
  everywhere(codes: Uint32Array, answers: readonly Answers[], budget: Budget): Answers {
    const places = new Uint8Array(codes.length + 1);
    this.search(codes, answers, budget, (place) => {
      places[place] = 1;
      return true;
    });
    return places;
  }

  /** Follows all transitions that consume no character; visits each state once per position. */
  #settle(
    stack: number[],
    marks: Uint32Array,
    turn: number,
    codes: Uint32Array,
    place: number,
    answers: readonly Answers[],
  ): { takers: { set: CharSet; next: number }[]; found: boolean; visited: number } {
    const takers: { set: CharSet; next: number }[] = [];
    let found = false;
    let visited = 0;
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      if (marks[index] === turn) continue;
      marks[index] = turn;
      visited += 1;
      const state = this.#states[index]!;
      if (state.kind === 'take') takers.push(state);
      else if (state.kind === 'fork') stack.push(state.other, state.next);
      else if (state.kind === 'match') found = true;
      else if (state.kind === 'edge') {
        if (isAt(state.edge, codes, place)) stack.push(state.next);
      } else if (answers[state.look]![place] === 1) stack.push(state.next);
    }
    return { takers, found, visited };
  }

  /** Adds the states of an expression before `next`; returns the first of them. */
  #build(expression: Expression, next: number): number {
    switch (expression.kind) {
      case 'set':
        return this.#add({ kind: 'take', set: expression.set, next });
      case 'edge':
        return this.#add({ kind: 'edge', edge: expression.edge, next });
      case 'sequence': {
        const parts = this.#backward ? expression.parts : expression.parts.toReversed();
        return parts.reduce((after, part) => this.#build(part, after), next);
      }
      case 'choice':
        return expression.options
          .map((option) => this.#build(option, next))
          .reduce((other, first) => this.#add({ kind: 'fork', next: first, other }));
      case 'repeat':
        return this.#repeat(expression, next);
      case 'look':
        return this.#add({ kind: 'look', look: this.#look(expression), next });
      default:
        return expression satisfies never;
    }
  }

  #repeat({ body, min, max }: Extract<Expression, { kind: 'repeat' }>, next: number): number {
    let first = next;
    if (Number.isFinite(max)) {
      for (let count = min; count < max; count++)
        first = this.#add({ kind: 'fork', next: this.#build(body, first), other: next });
    } else {
      const loop: State = { kind: 'fork', next: 0, other: next };
      first = this.#add(loop);
      loop.next = this.#build(body, first);
    }
    for (let count = 0; count < min; count++) first = this.#build(body, first);
    return first;
  }

  #look({ ahead, negative, body }: Extract<Expression, { kind: 'look' }>): number {
    // a lookahead is matched backwards from the end of the text, which finds all its start positions in one
    // pass
    const machine = new Machine(body, ahead, this.#looks);
    if (this.#looks.length >= MAX_LOOKS) throw new SchemaError('a pattern has too many lookarounds');
    return this.#looks.push({ machine, negative }) - 1;
  }

  #add(state: State): number {
    if (this.#states.length >= MAX_STATES) throw new SchemaError('a pattern is too large');
    return this.#states.push(state) - 1;
  }
}

function isAt(edge: Edge, codes: Uint32Array, place: number): boolean {
  if (edge === 'start') return place === 0;
  if (edge === 'end') return place === codes.length;
  const before = place > 0 && isWord(codes[place - 1]!);
  const after = place < codes.length && isWord(codes[place]!);
  return (before !== after) === (edge === 'word');
}

function codePoints(text: string): Uint32Array {
  const codes = new Uint32Array(text.length);
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index)!;
    codes[count++] = code;
    if (code > 0xffff) index += 1;
  }
  return codes.subarray(0, count);
}
