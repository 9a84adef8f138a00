import type { Invalid } from './invalid.ts';

/** What a text half says of bytes that are no text. */
export function invalidNote({ bytes, first }: Invalid): string {
  const [count, are] = bytes === 1 ? ['1 byte', 'is'] : [`${bytes} bytes`, 'are'];
  return `${count} ${are} not valid text, the first at offset ${first}, and shown as U+FFFD`;
}
