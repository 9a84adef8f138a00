/**
 * Invisible characters: controls, zero-width and bidirectional ones, fillers, variation selectors and tags. They can
 * hide text that only a model reads.
 */
const invisible = /(?![\t\n\f\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const shaped = /[\p{Extended_Pictographic}\p{Emoji_Modifier}#*\d]|\uFE0F|\u20E3/u;
const joining =
  /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}]/u;

/** Removes invisible characters, except those that shape their neighbours, and returns how many. */
export function removeInvisible(text: string): { text: string; removed: number } {
  if (text.search(invisible) < 0) return { text, removed: 0 };
  let removed = 0;
  const visible = text.replace(invisible, (found, at: number) => {
    if (isShaping(found, text, at)) return found;
    removed += 1;
    return '';
  });
  return { text: visible, removed };
}

/** Returns whether a joiner or selector has an effect: in an emoji, or in a script whose letters join. */
function isShaping(found: string, text: string, at: number): boolean {
  if (found === '\uFE0F' || found === '\uFE0E') return shaped.test(before(text, at));
  if (found !== '\u200D' && found !== '\u200C') return false;
  const next = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  const last = before(text, at);
  if (joining.test(last) && joining.test(next)) return true;
  return found === '\u200D' && shaped.test(last) && /\p{Extended_Pictographic}/u.test(next);
}

function before(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
}
