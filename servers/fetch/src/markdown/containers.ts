/** What blocks are in, with what stands before their first line and before the others. */
export interface Container {
  readonly kind: 'quote' | 'item' | 'definition' | 'note';
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
}

export function quote(): Container {
  return { kind: 'quote', first: '> ', rest: '> ', used: false };
}

/** What a term is; in another definition it has no indent of its own, for four spaces would make it code. */
export function definition(isNested: boolean): Container {
  return { kind: 'definition', first: ': ', rest: isNested ? '' : '  ', used: false };
}

export function footnote(label: string): Container {
  return { kind: 'note', first: `[^${label}]: `, rest: '    ', used: false };
}

export function itemOf(list: List, number: number): Container {
  const { isOrdered, sign } = list;
  const first = isOrdered && number >= 0 && number < 1e9 ? `${number}${sign} ` : `${isOrdered ? '-' : sign} `;
  return { kind: 'item', first, rest: ' '.repeat(first.length), used: false, list };
}
