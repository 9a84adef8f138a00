// a terminal as a picture: text of the reader's own fonts, in the reader's light or dark
/** @typedef {import('./terminal.mjs').Row} Row */

const CELL = { width: 8, height: 19 };
const MARGIN = 16;
const COLUMNS = 100;

const STYLE = `
svg{color-scheme:light dark}
rect{fill:#f6f8fa;stroke:#d1d9e0}
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328;white-space:pre}
.b{font-weight:bold}.d{opacity:.7}
.c1{fill:#b31d28}.c2{fill:#116329}.c3{fill:#7d4e00}.c4{fill:#0550ae}.c5{fill:#8250df}.c6{fill:#1b6c7d}
@media (prefers-color-scheme:dark){
rect{fill:#0d1117;stroke:#3d444d}text{fill:#e6edf3}
.c1{fill:#ff7b72}.c2{fill:#7ee787}.c3{fill:#e3b341}.c4{fill:#79c0ff}.c5{fill:#d2a8ff}.c6{fill:#76e3ea}}
@media (prefers-reduced-motion:no-preference){
text{animation:appear .01s both;animation-delay:var(--at)}
@keyframes appear{from{visibility:hidden}to{visibility:visible}}}
`;

/**
 * Writes rows as SVG: all of them at once for who wants no motion, else each at its time, and then they stay.
 * @param {string} title
 * @param {Row[]} rows
 */
export function drawing(title, rows) {
  const width = COLUMNS * CELL.width + 2 * MARGIN;
  const height = rows.length * CELL.height + 2 * MARGIN;
  const begin = rows[0]?.at ?? 0;
  const lines = rows.map(({ at, runs }, y) => {
    if (runs.length === 0) return '';
    const place = `x="${MARGIN}" y="${MARGIN + y * CELL.height + 14}"`;
    const length = runs.reduce((sum, { text }) => sum + text.length, 0) * CELL.width;
    const parts = runs.map(({ text, style }) =>
      style === '' ? escaped(text) : `<tspan class="${style}">${escaped(text)}</tspan>`,
    );
    return `<text ${place} textLength="${length}" style="--at:${(at - begin).toFixed(1)}s">${parts.join('')}</text>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>${STYLE}</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
${lines.join('')}</svg>
`;
}

/**
 * The text of such a picture, its rows one after the other.
 * @param {string} svg
 */
export function textOf(svg) {
  const lines = [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line = '']) => line);
  return lines.map((line) => unescaped(line.replaceAll(/<[^>]*>/g, ''))).join('\n');
}

/** @param {string} text */
function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** @param {string} text */
function unescaped(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
