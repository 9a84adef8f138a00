import { ToolError } from '@rootbound/protocol';

/** Refuses text with half a character, which no encoding can write. */
export function assertWhole(field: string, text: string): void {
  if (text.isWellFormed()) return;
  throw new ToolError(
    `${field} holds half a character (a lone surrogate); send both halves or leave it out`,
    {
      code: 'invalid-arguments',
    },
  );
}
