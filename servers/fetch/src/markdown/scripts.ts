const raised = pairs('0123456789+-=()ni−', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ⁻');
const lowered = pairs('0123456789+-=()−', '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋');
const MOST_MOVED = 20;

function pairs(plain: string, moved: string): ReadonlyMap<string, string> {
  return new Map(Array.from(plain, (character, at) => [character, moved.charAt(at)]));
}

/** Returns text in Unicode superscript or subscript characters; undefined if it needs a tag. */
export function raise(text: string, place: 'sub' | 'sup'): string | undefined {
  if (text === '') return '';
  // ordinals and marks read the same without raising
  if (place === 'sup' && /^(?:\p{L}{2,4}|[™®©℠])$/u.test(text)) return text;
  if (text.length > MOST_MOVED) return undefined;
  const map = place === 'sup' ? raised : lowered;
  let out = '';
  for (const character of text) {
    const found = map.get(character);
    if (found === undefined) return undefined;
    out += found;
  }
  return out;
}
