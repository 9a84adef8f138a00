import { ToolError } from '@rootbound/protocol';
import type { Coding } from './coding.ts';

/** The bytes of a new text, or a refusal that names the first character which the file cannot hold. */
export function encodeNew(coding: Coding, where: string, text: string): Buffer {
  const bytes = coding.encode(text);
  if (bytes !== undefined) return bytes;
  const odd = /[\u{100}-\u{10ffff}]/u.exec(text)![0];
  const point = odd.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  throw new ToolError(`${where}newText holds U+${point}, which Latin-1 has not`, {
    code: 'invalid-arguments',
    hint: 'write it in another way',
  });
}
