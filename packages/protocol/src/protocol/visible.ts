/**
 * Returns untrusted text on one line, safe for a terminal or a log: characters that are invisible, or that
 * move or reorder others, are escaped. JSON text of `JSON.stringify` keeps its meaning.
 * @example
 * visible('gpj.\u202eexe\nsafe'); // => 'gpj.\\u202eexe\\nsafe'
 */
export function visible(text: string): string {
  // Default_Ignorable_Code_Point covers variation selectors, which can hide text. The pattern is inside the
  // function because compiling its properties would slow down every start
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu,
    escaped,
  );
}

/** Returns text as `visible` does, but keeps line feeds and tabs. */
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
  // each half of a surrogate pair, as JSON requires
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
