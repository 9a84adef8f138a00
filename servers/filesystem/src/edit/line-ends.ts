/** A place where a text was matched; the end is not included. */
export interface Place {
  start: number;
  end: number;
}

/** The same text with CRLF wherever it has LF. */
export function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/**
 * Where a text occurs, left to right and not overlapping. An LF at its start that is the second half of a CRLF stands
 * for the whole line end, unless the text shows that it knows of CR.
 */
export function findPlaces(text: string, searched: string): Place[] {
  const widens = searched.startsWith('\n') && !searched.includes('\r');
  const places: Place[] = [];
  let end = 0;
  for (let start = text.indexOf(searched); start >= 0; start = text.indexOf(searched, end)) {
    end = start + searched.length;
    places.push({ start: widens && text[start - 1] === '\r' ? start - 1 : start, end });
  }
  return places;
}

/** Replaces places by a text whose bare LF become CRLF where the lines around the place end so. */
export function replaceAt(text: string, places: readonly Place[], replacement: string): string {
  const crlf = toCrlf(replacement);
  const follows = crlf !== replacement && text.includes('\r\n');
  const endsInCrlf = follows ? lineEndsOf(text) : () => false;
  const pieces: string[] = [];
  let end = 0;
  for (const place of places) {
    // a replacement that differs in nothing but the line end is meant as it stands
    const fits = endsInCrlf(place) && text.slice(place.start, place.end) !== crlf;
    pieces.push(text.slice(end, place.start), fits ? crlf : replacement);
    end = place.end;
  }
  pieces.push(text.slice(end));
  return pieces.join('');
}

/** Tells of places, asked from left to right, whether lines end in CRLF there. */
function lineEndsOf(text: string): (place: Place) => boolean {
  const isCrlf = (newline: number): boolean => newline > 0 && text[newline - 1] === '\r';
  let next = 0;
  let last = 0;
  return ({ start, end }) => {
    const within = text.slice(start, end);
    if (within.includes('\n')) {
      const pairs = within.split('\r\n').length - 1;
      return pairs * 2 > within.split('\n').length - 1;
    }
    if (next >= 0 && next < end) {
      next = text.indexOf('\n', end);
      // the last line has no end of its own, so it follows the one before
      if (next < 0) last = text.lastIndexOf('\n');
    }
    return isCrlf(next < 0 ? last : next);
  };
}
