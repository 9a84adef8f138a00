import type { Held } from '../blocks.ts';
import { footnote, itemOf, type List } from '../containers.ts';
import type { Flow } from '../flow.ts';
import type { Attributes } from '../html-parser.ts';
import type { Footnotes } from './footnotes.ts';

/** depth of nested lists whose items are counted before they are written */
const MOST_COUNTED = 3;

interface OpenList {
  readonly list: List;
  /** its items, if they are counted before they are written */
  readonly items: (readonly Held[])[] | undefined;
}

/** The open lists, the innermost last. */
export class Lists {
  readonly #flow: Flow;
  readonly #footnotes: Footnotes;
  readonly #open: OpenList[] = [];
  #counted = 0;

  constructor(flow: Flow, footnotes: Footnotes) {
    this.#flow = flow;
    this.#footnotes = footnotes;
  }

  begin(name: string, attributes: Attributes): () => void {
    this.#flow.flush();
    const isOrdered = name === 'ol';
    const start = Number.parseInt(attributes.start ?? '', 10);
    const step = attributes.reversed === undefined ? 1 : -1;
    const isCounted = isOrdered && step < 0 && Number.isNaN(start) && this.#counted < MOST_COUNTED;
    const list = this.#flow.blocks.startList(isOrdered, Number.isNaN(start) ? 1 : start, step);
    const open: OpenList = { list, items: isCounted ? [] : undefined };
    this.#open.push(open);
    if (isCounted) this.#counted += 1;
    return () => this.#end(open);
  }

  beginItem({ id, value }: Attributes): () => void {
    this.#flow.flush();
    const label = id === undefined ? undefined : this.#footnotes.labelOf(id);
    if (label !== undefined) return this.#flow.contain(footnote(label));
    const { list, items } = this.#open[this.#open.length - 1] ?? this.#alone();
    const itemValue = Number.parseInt(value ?? '', 10);
    if (list.isOrdered && !Number.isNaN(itemValue)) list.number = itemValue;
    const { number } = list;
    list.number += list.step;
    if (items === undefined || this.#flow.isInHeading) return this.#flow.contain(itemOf(list, number));
    return this.#flow.hold((held) => {
      if (held.length > 0) items.push(held);
    });
  }

  /** Returns a list for an item outside any list. */
  #alone(): OpenList {
    return { list: this.#flow.blocks.startList(false, 1, 1), items: undefined };
  }

  #end({ list, items }: OpenList): void {
    const { blocks } = this.#flow;
    this.#flow.flush();
    this.#open.pop();
    if (items !== undefined) this.#counted -= 1;
    items?.forEach((held, at, { length }) => {
      const end = this.#flow.contain(itemOf(list, length - at));
      blocks.release(held);
      end();
    });
    blocks.endList(list);
  }
}
