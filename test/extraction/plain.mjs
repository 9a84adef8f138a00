import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const BLOCKS = new Set(['paragraph', 'heading', 'code', 'tableCell']);

/**
 * Returns the text that a reader of Markdown sees, a line for each block: no markup, no URLs, no alternative texts.
 * @param {string} markdown
 * @returns {string}
 */
export function plainText(markdown) {
  const lines = [''];
  const walk = (/** @type {import('mdast').Nodes} */ node) => {
    if (BLOCKS.has(node.type)) lines.push('');
    if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code')
      lines[lines.length - 1] += node.value;
    if (node.type === 'break') lines[lines.length - 1] += ' ';
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
  return lines.filter((line) => line.trim() !== '').join('\n');
}
