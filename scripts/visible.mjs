// the same as `visible` of packages/protocol, which is not built when these programs start; a test compares them

/**
 * Returns a text of others on one line: invisible characters, and those that move or reorder others, become escapes.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu,
    escaped,
  );
}

/**
 * Returns the same with the line feeds of the text.
 * @param {string} text
 */
export function visibleLines(text) {
  return text.split('\n').map(visible).join('\n');
}

/** @param {string} character */
function escaped(character) {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
