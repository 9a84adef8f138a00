// shapes of a drawing, as SVG
import { escaped } from './svg.mjs';

/** Breaks words into lines. @param {string} words @param {number} room most characters of a line @returns {string[]} */
export function wrap(words, room) {
  /** @type {string[]} */
  const lines = [''];
  for (const word of words.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} style */
export function rect(x, y, width, height, style) {
  return `<rect class="${style}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`;
}

/** @param {number} x @param {number} y @param {string} words @param {string} style */
export function text(x, y, words, style, anchor = 'start') {
  return `<text class="${style}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

/** @param {number} x @param {number} y @param {number} toX @param {number} toY */
export function arrow(x, y, toX, toY) {
  const bend = (toY - y) / 2;
  return `<path marker-end="url(#tip)" d="M${x} ${y}C${x} ${y + bend} ${toX} ${toY - bend} ${toX} ${toY - 1}"/>`;
}
