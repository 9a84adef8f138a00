import type { Flow } from '../flow.ts';
import type { Attributes } from '../html-parser.ts';
import type { OpenElements } from '../open-elements.ts';
import { Table } from '../table.ts';

const MOST_OPEN = 3;
/** number of ancestors in which the thead of a row is looked for */
const HEAD_WITHIN = 3;

/** The open tables, the innermost last; undefined for a layout table. */
export class Tables {
  readonly #flow: Flow;
  readonly #elements: OpenElements;
  readonly #open: (Table | undefined)[] = [];
  #kept = 0;

  constructor(flow: Flow, elements: OpenElements) {
    this.#flow = flow;
    this.#elements = elements;
  }

  begin({ role }: Attributes): () => void {
    this.#flow.flush();
    const isForLayout = role === 'presentation' || role === 'none';
    const isKept = !isForLayout && !this.#flow.isInHeading && this.#kept < MOST_OPEN;
    const table = isKept ? new Table() : undefined;
    if (isKept) this.#kept += 1;
    this.#open.push(table);
    return () => {
      this.#flow.flush();
      this.#open.pop();
      if (table === undefined) return;
      this.#kept -= 1;
      table.put(this.#flow.blocks);
    };
  }

  beginRow(): () => void {
    this.#flow.flush();
    this.#inner?.startRow(this.#elements.find('thead', HEAD_WITHIN) !== undefined);
    return this.#flow.flushes;
  }

  beginCell(name: string, attributes: Attributes): () => void {
    this.#flow.flush();
    const table = this.#inner;
    if (table === undefined) return this.#flow.flushes;
    return this.#flow.hold((held) => table.add(held, name === 'th', attributes));
  }

  get #inner(): Table | undefined {
    return this.#open[this.#open.length - 1];
  }
}
