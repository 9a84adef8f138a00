// draws a terminal as SVG, in the reader's own fonts and colour scheme
/** @typedef {import('./terminal.mjs').Row} Row */

const CELL = { width: 8, height: 19 };
const MARGIN = 16;
const COLUMNS = 100;

/** Colours of pictures in each colour scheme. */
export const PALETTE = {
  light: { fill: '#f6f8fa', border: '#d1d9e0', text: '#1f2328', line: '#59636e' },
  dark: { fill: '#0d1117', border: '#3d444d', text: '#e6edf3', line: '#9198a1' },
};

const STYLE = `
svg{color-scheme:light dark}
rect{fill:${PALETTE.light.fill};stroke:${PALETTE.light.border}}
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${PALETTE.light.text};white-space:pre}
.b{font-weight:bold}.d{opacity:.7}
.c1{fill:#b31d28}.c2{fill:#116329}.c3{fill:#7d4e00}.c4{fill:#0550ae}.c5{fill:#8250df}.c6{fill:#1b6c7d}
@media (prefers-color-scheme:dark){
rect{fill:${PALETTE.dark.fill};stroke:${PALETTE.dark.border}}text{fill:${PALETTE.dark.text}}
.c1{fill:#ff7b72}.c2{fill:#7ee787}.c3{fill:#e3b341}.c4{fill:#79c0ff}.c5{fill:#d2a8ff}.c6{fill:#76e3ea}}
@media (prefers-reduced-motion:no-preference){
text{animation:appear .01s both;animation-delay:var(--at)}
@keyframes appear{from{visibility:hidden}to{visibility:visible}}}
`;

/**
 * Draws rows as SVG: each appears at its time, or all at once if the reader prefers reduced motion.
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
 * Returns the text of such a picture, row by row.
 * @param {string} svg
 */
export function textOf(svg) {
  const lines = [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line = '']) => line);
  return lines.map((line) => unescaped(line.replaceAll(/<[^>]*>/g, ''))).join('\n');
}

/** Escapes text for SVG. @param {string} text */
export function escaped(text) {
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
