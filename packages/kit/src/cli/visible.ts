/** The text on one line, with every character that is not seen, or that moves others, written as an escape. */
export function visible(text: string): string {
  // also the separators and the marks that reorder text: all could forge or hide words in a log, and variation selectors carry text that nobody sees. The pattern stays
  // in here because looking up its properties would cost every start
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu,
    escaped,
  );
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  // each half of a pair, so that JSON reads it as well
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
