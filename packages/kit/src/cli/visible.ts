/** The text on one line, with every control character written as an escape. */
export function visible(text: string): string {
  // also the separators and the marks that reorder text: all could forge or hide words in a log. The pattern stays
  // in here because looking up its properties would cost every start
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu, escaped);
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
