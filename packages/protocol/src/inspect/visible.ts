/** A text of a server as it may be printed on one line: what would move the cursor or reorder text is an escape. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu, escaped);
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
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
