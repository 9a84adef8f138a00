import type { Heading } from '../reading/reading.ts';
import { escapeLine } from './escape.ts';

/** One block of Markdown, not yet within quotes and lists. */
export interface Block {
  readonly kind: 'text' | 'heading' | 'code' | 'table' | 'rule' | 'math';
  readonly body: string;
  /** a heading's level and what it says without Markdown */
  readonly level?: number;
  readonly plain?: string;
  /** what it is in a cell, where that is something else */
  readonly inCell?: string;
}

/** What blocks are in, with what stands before their first line and before the others. */
export interface Container {
  readonly kind: 'quote' | 'item' | 'term' | 'definition' | 'note';
  first: string;
  readonly rest: string;
  used: boolean;
  /** the list that an item is one of */
  readonly list?: List;
}

/** A list while it is open. */
export interface List {
  readonly isOrdered: boolean;
  readonly sign: string;
  number: number;
  readonly step: number;
  hasItems: boolean;
  /** whether blank lines part its items */
  isLoose: boolean;
  /** its items where they are counted before they are written */
  readonly items?: (readonly Held[])[];
}

/** A block that waits until it is known what its table is. */
export interface Held {
  readonly block: Block;
  readonly first: string;
  readonly rest: string;
  readonly tight: boolean;
}

const MOST_CONTAINERS = 16;

/** Blocks on their way out, each line behind what it is in. */
export class Blocks {
  readonly headings: Heading[] = [];
  readonly #most: number;
  #out: string[] = [];
  #length = 0;
  #containers: Container[] = [];
  /** how many containers the last block shares with what comes */
  #shared = 0;
  #last: Block['kind'] | 'none' = 'none';
  #lastContainer: Container | undefined;
  #held: Held[] | undefined;
  /** signs of lists that ended right here, so that the next ones are told apart */
  #endedList: { readonly isOrdered: boolean; readonly sign: string; readonly depth: number } | undefined;
  isCut = false;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#containers.length >= MOST_CONTAINERS;
  }

  enter(container: Container): void {
    this.#containers.push(container);
  }

  /** Leaves a container, and what is left open in it. */
  leave(container: Container): void {
    const at = this.#containers.lastIndexOf(container);
    if (at < 0) return;
    this.#containers.length = at;
    this.#shared = Math.min(this.#shared, at);
    // a quote that follows another is one of its own
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

  /** Keeps what comes aside, outside of what is open, until it is restored. */
  hold(): { readonly restore: () => void } {
    const [containers, held, shared] = [this.#containers, this.#held, this.#shared];
    const [last, lastContainer] = [this.#last, this.#lastContainer];
    this.#containers = [];
    this.#held = [];
    this.#shared = 0;
    this.#last = 'none';
    return {
      restore: () => {
        this.#containers = containers;
        this.#held = held;
        this.#shared = shared;
        this.#last = last;
        this.#lastContainer = lastContainer;
      },
    };
  }

  /** What has been kept aside. */
  get held(): readonly Held[] {
    return this.#held ?? [];
  }

  put(block: Block): void {
    if (this.isCut) return;
    const inner = this.inner;
    const tight = this.#isTight(block, inner);
    if (inner?.kind === 'definition' && !inner.used && block.kind !== 'text') inner.first = '';
    const list = inner?.list;
    if (list !== undefined && inner!.used && !tight) list.isLoose = true;
    const { first, rest } = this.#prefix();
    for (const container of this.#containers)
      if (container.list !== undefined) container.list.hasItems = true;
    this.#emit({ block, first, rest, tight });
    this.#shared = this.#containers.length;
    this.#last = block.kind;
    this.#lastContainer = inner;
    this.#endedList = undefined;
  }

  /** Puts what was kept aside where it is now. */
  release(held: readonly Held[]): void {
    held.forEach((one, index) => {
      if (this.isCut) return;
      const tight = index > 0 ? one.tight : this.#isTight(one.block, this.inner);
      const { first, rest } = this.#prefix();
      for (const container of this.#containers)
        if (container.list !== undefined) container.list.hasItems = true;
      this.#emit({ block: one.block, first: first + one.first, rest: rest + one.rest, tight });
      this.#shared = this.#containers.length;
      this.#last = one.block.kind;
      this.#lastContainer = this.inner;
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
    // the first block of an item: after another item, or after the text that its list belongs to
    const begun = this.#containers.findIndex((container) => !container.used);
    const list = this.#containers[begun]?.list;
    if (list === undefined) return false;
    if (list.hasItems) return !list.isLoose && block.kind !== 'table';
    const parent = this.#containers[begun - 1];
    return parent?.kind === 'item' && parent.used && this.#last === 'text' && this.#lastContainer === parent;
  }

  #prefix(): { first: string; rest: string } {
    let [first, rest] = ['', ''];
    for (const container of this.#containers) {
      first += container.used ? container.rest : container.first;
      rest += container.rest;
      container.used = true;
    }
    return { first, rest };
  }

  #emit(held: Held): void {
    if (this.#held !== undefined) {
      this.#held.push(held);
      return;
    }
    const { block, first, rest, tight } = held;
    let gap = '';
    if (this.#length > 0) {
      let blank = '';
      for (let at = 0; at < this.#shared; at++) blank += this.#containers[at]?.rest ?? '';
      gap = tight ? '\n' : `\n${blank.trimEnd()}\n`;
    }
    const body = linesOf(block);
    const text =
      rest === '' && first === ''
        ? body
        : first + (body.includes('\n') ? body.replaceAll('\n', `\n${rest}`) : body);
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

/** Blocks as one line of Markdown, for a cell. */
export function flatten(held: readonly Held[]): string {
  const lines: string[] = [];
  for (const { block, first } of held) {
    if (block.kind === 'rule') continue;
    const marker = first.trim() === '' ? '' : `${first.trim()} `;
    (block.inCell ?? block.body).split('\n').forEach((line, index) => {
      const text = line.trim();
      if (text !== '') lines.push(index === 0 ? marker + text : text);
    });
  }
  return lines.join('<br>').replaceAll('|', '\\|');
}
