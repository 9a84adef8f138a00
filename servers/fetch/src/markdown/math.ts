import type { Steps } from './steps.ts';

interface Part {
  readonly name: string;
  readonly children: string[];
}

const MOST_TEX = 20_000;
const MOST_DEPTH = 64;

/** A formula that is being read: its TeX if the page has it, else MathML converted to TeX. */
export class Formula {
  readonly isDisplay: boolean;
  readonly #alttext: string | undefined;
  readonly #steps: Steps;
  #tex: string | undefined;
  #beyond = 0;
  #reads: 'math' | 'tex' | 'nothing' = 'math';
  readonly #parts: Part[] = [{ name: 'math', children: [] }];

  constructor(isDisplay: boolean, alttext: string | undefined, steps: Steps) {
    this.isDisplay = isDisplay;
    this.#alttext = alttext;
    this.#steps = steps;
  }

  open(name: string, encoding: string | undefined): void {
    if (name === 'annotation' || name === 'annotation-xml') {
      this.#reads = /tex/i.test(encoding ?? '') ? 'tex' : 'nothing';
      if (this.#reads === 'tex') this.#tex = '';
    }
    if (this.#parts.length < MOST_DEPTH) this.#parts.push({ name, children: [] });
    else this.#beyond += 1;
  }

  text(data: string): void {
    if (this.#reads === 'tex') this.#tex += data;
    else if (this.#reads === 'math' && data.trim() !== '')
      this.#parts[this.#parts.length - 1]!.children.push(data.trim());
  }

  close(name: string): void {
    if (name === 'annotation' || name === 'annotation-xml') this.#reads = 'math';
    if (this.#beyond > 0) {
      this.#beyond -= 1;
      return;
    }
    if (this.#parts.length < 2) return;
    const part = this.#parts.pop()!;
    if (name.startsWith('annotation')) return;
    const joined = join(part);
    this.#steps.count += joined.length;
    this.#parts[this.#parts.length - 1]!.children.push(joined);
  }

  /** Returns the formula in TeX on one line. */
  take(): string {
    const tex = this.#tex ?? this.#alttext ?? this.#parts.map(join).join(' ');
    return tex
      .slice(0, MOST_TEX)
      .replace(/\s+/g, ' ')
      .replace(/^ ?\{\\displaystyle (.*)\} ?$/, '$1')
      .trim();
  }
}

function join({ name, children }: Part): string {
  const [first = '', second = '', third = ''] = children;
  switch (name) {
    case 'mfrac':
      return `\\frac{${first}}{${second}}`;
    case 'msup':
    case 'mover':
      return `${first}^${group(second)}`;
    case 'msub':
    case 'munder':
      return `${first}_${group(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${first}_${group(second)}^${group(third)}`;
    case 'msqrt':
      return `\\sqrt{${children.join(' ')}}`;
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`;
    case 'mtable':
      return children.join(' \\\\ ');
    case 'mtr':
      return children.join(' & ');
    case 'mspace':
      return ' ';
    default:
      return children.join(' ');
  }
}

function group(text: string): string {
  return text.length === 1 ? text : `{${text}}`;
}

/** Returns whether TeX can be part of Markdown as it is, without links, code or tags. */
export function isPlainTex(tex: string): boolean {
  return !/\]\s*[([:]|[`$]|<[a-z!/?]|!\[|^$/i.test(tex);
}
