import type { Nearest } from './nearest.ts';

const MAX_DIFFERENCES = 3;

/** Characters that look like a space. */
const ODD_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const ODD_SPACES = new RegExp(ODD_SPACE, 'g');

/** Returns whether a text and the lines nearest to it differ only in white space. */
export function onlySpaceDiffers({ wanted, lines }: Nearest): boolean {
  return squeezed(lines.join('\n')).includes(squeezed(wanted.join('\n')));
}

/** Describes how the white space of a text differs from that of the lines nearest to it. */
export function spaceDifferences({ wanted, lines, line }: Nearest): string[] {
  const differences = new Map<string, string>();
  const add = (kind: string, what: string): void => {
    if (!differences.has(kind)) differences.set(kind, what);
  };
  for (const [index, old] of wanted.entries()) {
    const now = lines[index];
    if (now === undefined || squeezed(old) === '' || !squeezed(now).includes(squeezed(old))) continue;
    const number = line + index;
    const whole = squeezed(now) === squeezed(old);
    const ends = index + 1 < wanted.length;
    if (whole && indentOf(old) !== indentOf(now) && (index > 0 || indentOf(old) !== ''))
      add('indent', indentation(indentOf(old), indentOf(now), number));
    if (ends && old.endsWith('\r') !== now.endsWith('\r'))
      add('end', `line ${number} of the file ends in ${now.endsWith('\r') ? 'CRLF' : 'LF'}`);
    if (whole && (ends || tailOf(old) !== '') && tailOf(old) !== tailOf(now))
      add(
        'tail',
        `${tailOf(now) === '' ? 'oldText' : 'the file'} has white space at the end of line ${number}`,
      );
    const odd = ODD_SPACE.exec(now)?.[0] ?? ODD_SPACE.exec(old)?.[0];
    if (odd !== undefined && now.includes(odd) !== old.includes(odd)) {
      const point = odd.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      add(
        'odd',
        `${now.includes(odd) ? 'the file' : 'oldText'} has U+${point} in place of a space on line ${number}`,
      );
    } else if (whole && now.trim() !== old.trim()) add('inner', `inside line ${number}`);
  }
  if (differences.size === 0) differences.set('lines', 'lines are broken at other positions');
  return [...differences.values()].slice(0, MAX_DIFFERENCES);
}

/** Returns a line with visible marks for white space at both ends and for characters that look like a space. */
export function showSpace(line: string): string {
  const indent = indentOf(line);
  const tail = indent.length < line.length ? line.slice(line.trimEnd().length) : '';
  const dots = (text: string): string => text.replaceAll(' ', '\u00b7');
  return `${dots(indent)}${line.slice(indent.length, line.length - tail.length)}${dots(tail)}`
    .replaceAll('\t', '\u2192')
    .replaceAll('\r', '\u240d')
    .replace(ODD_SPACES, '\u237d');
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function tailOf(line: string): string {
  const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
  return bare.slice(bare.trimEnd().length);
}

function indentation(old: string, now: string, number: number): string {
  if (now.includes('\t') && !old.includes('\t')) return 'the file indents with tabs, oldText with spaces';
  if (old.includes('\t') && !now.includes('\t')) return 'the file indents with spaces, oldText with tabs';
  return `the indentation of line ${number}`;
}
