/** A text file as the reference implementation decodes it. */
export interface Reference {
  /** the text after the byte order mark */
  text: string;
  lines: string[];
  /** whether the bytes begin with the mark of their encoding */
  marked: boolean;
}

export type Coding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';

/** Decodes bytes in an encoding. */
export function decode(bytes: Buffer, coding: Coding): Reference {
  const text = decoded(bytes, coding).toWellFormed();
  const marked = coding !== 'latin1' && text.startsWith('\uFEFF');
  const behind = marked ? text.slice(1) : text;
  return { text: behind, lines: behind.split(/(?<=\n)/).filter((line) => line !== ''), marked };
}

function decoded(bytes: Buffer, coding: Coding): string {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  switch (coding) {
    case 'utf-8':
    case 'latin1':
      return bytes.toString(coding);
    case 'utf-16le':
      return whole.toString('utf16le');
    case 'utf-16be':
      return Buffer.from(whole).swap16().toString('utf16le');
  }
}

/** Returns a generator of pseudo-random numbers with a fixed seed. */
export function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}
