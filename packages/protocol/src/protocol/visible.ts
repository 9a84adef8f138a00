/**
 * Returns a text of others on one line, as a terminal or a log may show it: a character that is not seen, or that moves
 * or reorders others, is an escape. JSON that was written by `JSON.stringify` still reads the same.
 * @example
 * visible('gpj.\u202eexe\nsafe'); // => 'gpj.\\u202eexe\\nsafe'
 */
export function visible(text: string): string {
  // variation selectors are among them, since they carry text that nobody sees. The pattern is in the function because
  // compiling its properties would cost every start
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu,
    escaped,
  );
}

/** Returns a text as `visible` does, with its line feeds and tabs. */
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
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  // each half of a pair, so that JSON reads it as well
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
