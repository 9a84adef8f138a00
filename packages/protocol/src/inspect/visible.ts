/** A text of a server as it may be printed on one line: what would move the cursor, reorder text or not be seen is an escape. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu,
    escaped,
  );
}

/** As `visible`, with the line feeds and tabs of the text. */
export function visibleLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/(?<=\n)|(?=\n)/)
    .map(keepLine)
    .join('');
}

function keepLine(part: string): string {
  return part === '\n' ? part : part.split('\t').map(visible).join('\t');
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  // each half of a pair, so that JSON reads it as well
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
