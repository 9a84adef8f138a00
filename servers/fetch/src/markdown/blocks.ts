import type { Heading } from '../reading/reading.ts';
import type { Container, List } from './containers.ts';
import { escapeLine } from './escape.ts';
import type { Steps } from './steps.ts';

/** One block of Markdown, without the prefixes of its containers. */
export interface Block {
  readonly kind: 'text' | 'heading' | 'code' | 'table' | 'rule' | 'math';
  readonly body: string;
  /** a heading's level, and its text without Markdown */
  readonly level?: number;
  readonly plain?: string;
  /** the block's form in a table cell, if it differs */
  readonly inCell?: () => string;
}

/** A block that is held back until the kind of its table is known. */
export interface Held {
  readonly block: Block;
  readonly first: string;
  readonly rest: string;
  readonly tight: boolean;
}

const MOST_CONTAINERS = 16;

/** A writer of blocks, each line with the prefixes of its containers. */
export class Blocks {
  readonly headings: Heading[] = [];
  readonly #most: number;
  readonly #steps: Steps;
  #out: string[] = [];
  #length = 0;
  #containers: Container[] = [];
  /** number of containers that the last block shares with the next one */
  #shared = 0;
  #last: Block['kind'] | 'none' = 'none';
  #lastContainer: Container | undefined;
  #held: Held[] | undefined;
  /** marker of the list that ended here, so that the next list gets another one */
  #endedList: { readonly isOrdered: boolean; readonly sign: string; readonly depth: number } | undefined;
  isCut = false;

  constructor(most: number, steps: Steps) {
    this.#most = most;
    this.#steps = steps;
  }

  get isFull(): boolean {
    return this.#containers.length >= MOST_CONTAINERS;
  }

  enter(container: Container): void {
    this.#containers.push(container);
  }

  /** Leaves a container, with those still open inside it. */
  leave(container: Container): void {
    const at = this.#containers.lastIndexOf(container);
    if (at < 0) return;
    this.#containers.length = at;
    this.#shared = Math.min(this.#shared, at);
    // a following quote is a separate one
    if (container.kind === 'quote') this.#lastContainer = container;
  }

  /** The innermost container. */
  get inner(): Container | undefined {
    return this.#containers[this.#containers.length - 1];
  }

  startList(isOrdered: boolean, number: number, step: number): List {
    const ended = this.#endedList;
    const follows =
      ended !== undefined && ended.isOrdered === isOrdered && ended.depth === this.#containers.length;
    const [sign, other] = isOrdered ? ['.', ')'] : ['-', '*'];
    return {
      isOrdered,
      sign: follows && ended.sign === sign ? other! : sign!,
      number,
      step,
      hasItems: false,
      isLoose: false,
    };
  }

  endList(list: List): void {
    if (list.hasItems) this.#endedList = { ...list, depth: this.#containers.length };
  }

  /**
   * Holds back the following blocks, outside the open containers; the returned function yields them and restores the
   * state.
   */
  hold(): () => readonly Held[] {
    const [containers, outer, shared] = [this.#containers, this.#held, this.#shared];
    const [last, lastContainer] = [this.#last, this.#lastContainer];
    const held: Held[] = [];
    this.#containers = [];
    this.#held = held;
    this.#shared = 0;
    this.#last = 'none';
    return () => {
      this.#containers = containers;
      this.#held = outer;
      this.#shared = shared;
      this.#last = last;
      this.#lastContainer = lastContainer;
      return held;
    };
  }

  put(block: Block): void {
    if (this.isCut) return;
    const inner = this.inner;
    const tight = this.#isTight(block, inner);
    if (inner?.list !== undefined && inner.used && !tight) inner.list.isLoose = true;
    this.#place({ block, first: '', rest: '', tight });
    this.#endedList = undefined;
  }

  /** Writes blocks that were held back at the current position. */
  release(held: readonly Held[]): void {
    held.forEach((one, index) => {
      if (this.isCut) return;
      const tight = index > 0 ? one.tight : this.#isTight(one.block, this.inner);
      this.#place({ ...one, tight });
    });
  }

  take(): string {
    return this.#out.join('');
  }

  #isTight(block: Block, inner: Container | undefined): boolean {
    if (this.#last === 'none' || inner === undefined) return false;
    if (inner.kind === 'definition') return !inner.used && this.#last === 'text';
    if (inner.kind === 'note') return !inner.used && this.#lastContainer?.kind === 'note';
    if (inner.kind !== 'item' || inner.used) return false;
    // the first block of an item: after another item, or after the text that precedes its list
    const begun = this.#containers.findIndex((container) => !container.used);
    const list = this.#containers[begun]?.list;
    if (list === undefined) return false;
    if (list.hasItems) return !list.isLoose && block.kind !== 'table';
    const parent = this.#containers[begun - 1];
    return parent?.kind === 'item' && parent.used && this.#last === 'text' && this.#lastContainer === parent;
  }

  /** Writes a block with the prefixes of all open containers. */
  #place({ block, first, rest, tight }: Held): void {
    const { inner } = this;
    let [before, beside] = ['', ''];
    for (const container of this.#containers) {
      // only text shares a line with the colon of a definition
      const isBeside = container.kind !== 'definition' || (container === inner && block.kind === 'text');
      before += container.used || !isBeside ? container.rest : container.first;
      beside += container.rest;
      container.used = true;
      if (container.list !== undefined) container.list.hasItems = true;
    }
    this.#steps.count += this.#containers.length;
    this.#emit({ block, first: before + first, rest: beside + rest, tight });
    this.#shared = this.#containers.length;
    this.#last = block.kind;
    this.#lastContainer = inner;
  }

  #emit(held: Held): void {
    if (this.#held !== undefined) {
      this.#held.push(held);
      return;
    }
    const { block, first, rest, tight } = held;
    const gap = this.#length === 0 ? '' : tight ? '\n' : this.#blankLine();
    const body = linesOf(block);
    const text =
      rest === '' && first === ''
        ? body
        : first + (body.includes('\n') ? body.replaceAll('\n', `\n${rest}`) : body);
    this.#steps.count += text.length;
    if (this.#length + gap.length + text.length > this.#most) {
      this.isCut = true;
      return;
    }
    this.#out.push(gap, text);
    this.#length += gap.length;
    if (block.kind === 'heading')
      this.headings.push({ level: block.level!, text: block.plain!, at: this.#length });
    this.#length += text.length;
  }

  #blankLine(): string {
    let blank = '';
    for (let at = 0; at < this.#shared; at++) blank += this.#containers[at]?.rest ?? '';
    return `\n${blank.trimEnd()}\n`;
  }
}

function linesOf({ kind, body, level }: Block): string {
  if (kind === 'heading') return `${'#'.repeat(level!)} ${body.replace(/(^| )(#+)$/, '$1\\$2')}`;
  if (kind !== 'text') return body;
  if (!body.includes('\n')) return escapeLine(body, true);
  return body
    .split('\n')
    .map((line, index) => escapeLine(line, index === 0))
    .join('\n');
}
