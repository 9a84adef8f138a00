const raised = pairs('0123456789+-=()ni−', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ⁻');
const lowered = pairs('0123456789+-=()−', '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋');
const MOST_MOVED = 20;

function pairs(plain: string, moved: string): ReadonlyMap<string, string> {
  return new Map(Array.from(plain, (character, at) => [character, moved.charAt(at)]));
}

/** Text above or below the line in characters that are there; undefined where it takes a tag. */
export function raise(text: string, place: 'sub' | 'sup'): string | undefined {
  if (text === '') return '';
  // ordinals and marks read the same on the line
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
