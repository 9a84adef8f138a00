const SHINGLE = 4;

/**
 * Scores how well texts match whole articles, as scrapinghub/article-extraction-benchmark does: by shingles of four
 * words, with equal weight for each page.
 * @param {{ expected: string, text: string }[]} pages
 */
export function scoreArticles(pages) {
  const counts = pages.map(({ expected, text }) => compareShingles(expected, text));
  const precision = mean(counts.filter(({ hit, extra }) => hit + extra > 0).map(precisionOf));
  const recall = mean(counts.filter(({ hit, missing }) => hit + missing > 0).map(recallOf));
  return { precision, recall, f1: harmonic(precision, recall) };
}

/**
 * Scores how many of the snippets texts contain as expected, as trafilatura's evaluation does: over all pages, with
 * normalized white space. Both sides are also compared without invisible characters and superscripts.
 * @param {{ with: string[], without: string[], text: string }[]} pages
 */
export function scoreSnippets(pages) {
  const total = { hit: 0, extra: 0, missing: 0 };
  for (const page of pages) {
    const counts = compareSnippets(page);
    total.hit += counts.hit;
    total.extra += counts.extra;
    total.missing += counts.missing;
  }
  const precision = precisionOf(total);
  const recall = recallOf(total);
  return { precision, recall, f1: harmonic(precision, recall) };
}

/**
 * @param {string} expected
 * @param {string} text
 */
export function compareShingles(expected, text) {
  const wanted = shinglesOf(expected);
  const got = shinglesOf(text);
  let [hit, extra, missing] = [0, 0, 0];
  for (const key of new Set([...wanted.keys(), ...got.keys()])) {
    const wantedCount = wanted.get(key) ?? 0;
    const gotCount = got.get(key) ?? 0;
    hit += Math.min(wantedCount, gotCount);
    extra += Math.max(0, gotCount - wantedCount);
    missing += Math.max(0, wantedCount - gotCount);
  }
  const sum = hit + extra + missing || 1;
  return { hit: hit / sum, extra: extra / sum, missing: missing / sum };
}

/** @param {{ with: string[], without: string[], text: string }} page */
export function compareSnippets(page) {
  const text = evenSpace(page.text);
  const hit = page.with.filter((snippet) => text.includes(evenSpace(snippet))).length;
  const extra = page.without.filter((snippet) => text.includes(evenSpace(snippet))).length;
  return { hit, extra, missing: page.with.length - hit };
}

/** @param {string} text */
function shinglesOf(text) {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const counts = new Map();
  for (let at = 0; at < Math.max(1, words.length - SHINGLE + 1); at++) {
    const shingle = words.slice(at, at + SHINGLE).join(' ');
    if (shingle !== '') counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

/** @param {{ hit: number, extra: number, missing: number }} counts */
function precisionOf({ hit, extra, missing }) {
  if (extra === 0 && missing === 0) return 1;
  return hit === 0 ? 0 : hit / (hit + extra);
}

/** @param {{ hit: number, extra: number, missing: number }} counts */
function recallOf({ hit, extra, missing }) {
  if (extra === 0 && missing === 0) return 1;
  return hit === 0 ? 0 : hit / (hit + missing);
}

/**
 * @param {number} precision
 * @param {number} recall
 */
function harmonic(precision, recall) {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}

/**
 * Returns a text without the differences that the reader makes on purpose: invisible characters and superscripts.
 * @param {string} text
 */
function evenSpace(text) {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
