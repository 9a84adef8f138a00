/** A container of blocks, with the prefixes of its first line and of the others. */
export interface Container {
  readonly kind: 'quote' | 'item' | 'definition' | 'note';
  first: string;
  readonly rest: string;
  used: boolean;
  /** the list of an item */
  readonly list?: List;
}

/** A list that is open. */
export interface List {
  readonly isOrdered: boolean;
  readonly sign: string;
  number: number;
  readonly step: number;
  hasItems: boolean;
  /** whether blank lines separate its items */
  isLoose: boolean;
}

export function quote(): Container {
  return { kind: 'quote', first: '> ', rest: '> ', used: false };
}

/** Returns the container of a definition; a nested one has no indent, because four spaces would make its text code. */
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
