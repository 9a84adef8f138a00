import type { Flow } from '../flow.ts';
import { markOf } from '../mark.ts';

const raised = pairs('0123456789+-=()ni−', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ⁻');
const lowered = pairs('0123456789+-=()−', '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋');
const MOST_MOVED = 20;

function pairs(plain: string, moved: string): ReadonlyMap<string, string> {
  return new Map(Array.from(plain, (character, at) => [character, moved.charAt(at)]));
}

const nothing = (): void => {};

/** Puts markers around the text up to the end that is returned. */
export function emphasise(flow: Flow, marker: string): () => void {
  flow.regain();
  // headings are bold already
  if (flow.isInHeading && marker === '**') return nothing;
  const mark = markOf(marker);
  flow.begin(mark);
  return () => {
    flow.regain();
    flow.end(mark);
  };
}

/** Emphasises a whole paragraph. */
export function emphasiseBlock(flow: Flow): () => void {
  flow.flush();
  const end = emphasise(flow, '**');
  return () => {
    end();
    flow.flush();
  };
}

/** Writes the text up to the returned end as superscript or subscript. */
export function shift(flow: Flow, name: 'sub' | 'sup'): () => void {
  const aside = flow.setAside(true);
  return () => {
    if (!flow.endAside(aside)) return;
    const text = aside.text.trim();
    const raised = raise(text, name);
    if (raised !== undefined) {
      flow.write(raised);
      return;
    }
    flow.atom(`<${name}>`, '');
    flow.write(text);
    flow.atom(`</${name}>`, '');
  };
}

/** Writes a character before and after the text. */
export function enclose(flow: Flow, before: string, behind: string): () => void {
  flow.write(before);
  return () => flow.write(behind);
}

/** Returns text in Unicode superscript or subscript characters; undefined if it needs a tag. */
function raise(text: string, place: 'sub' | 'sup'): string | undefined {
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
