import { codeSpan } from '../code-blocks.ts';
import type { Flow } from '../flow.ts';
import type { Attributes } from '../html-parser.ts';
import { Formula, isPlainTex } from '../math.ts';
import type { OpenElements } from '../open-elements.ts';
import type { Steps } from '../steps.ts';

/** A writer of formulas; one is open at a time. */
export class Formulas {
  readonly #flow: Flow;
  readonly #elements: OpenElements;
  readonly #steps: Steps;
  #open: Formula | undefined;

  constructor(flow: Flow, elements: OpenElements, steps: Steps) {
    this.#flow = flow;
    this.#elements = elements;
    this.#steps = steps;
  }

  /** The open formula, which receives elements and text instead of the page. */
  get open(): Formula | undefined {
    return this.#open;
  }

  /** Begins MathML. */
  begin({ display, alttext }: Attributes): () => void {
    this.#flow.regain();
    const isDisplay = display === 'block' || this.#elements.find('mjx-display') !== undefined;
    return this.#begin(new Formula(isDisplay, alttext, this.#steps));
  }

  /** Begins TeX in a script element. */
  beginTex({ type = '' }: Attributes): () => void {
    const formula = new Formula(/mode\s*=\s*display/i.test(type), undefined, this.#steps);
    formula.open('annotation', 'tex');
    return this.#begin(formula);
  }

  #begin(formula: Formula): () => void {
    this.#open = formula;
    return () => {
      this.#open = undefined;
      this.#put(formula.take(), formula.isDisplay);
    };
  }

  #put(tex: string, isDisplay: boolean): void {
    const flow = this.#flow;
    if (tex === '') return;
    if (!isPlainTex(tex)) flow.atom(codeSpan(tex), tex);
    else if (isDisplay && !flow.isInHeading && flow.link === undefined) {
      flow.flush();
      flow.blocks.put({ kind: 'math', body: `$$${tex}$$` });
    } else flow.atom(`$${tex}$`, tex);
  }
}

/** Returns whether an element is a script with TeX. */
export function isTex(name: string, { type }: Attributes): boolean {
  return name === 'script' && type !== undefined && /^math\/tex/i.test(type);
}
