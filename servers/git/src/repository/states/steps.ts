import type { Grammar } from './grammar.ts';

const commit = '[0-9a-f]{4,64}';
/** A label, or a revision. */
const label = '(?!-)[^ \\t\\r\\0]+';
const rest = '(?:[ \\t]+[^\\0]*)?';

/** The lines of a rebase that pick, mark and move, as git writes them. */
const rebasing = new RegExp(
  `^(?:${[
    `(?:pick|p|reword|r|edit|e|squash|s|drop|d|revert)[ \\t]+(?:-[cC][ \\t]+)?${commit}${rest}`,
    `(?:fixup|f)[ \\t]+(?:-[cC][ \\t]*)?${commit}${rest}`,
    `(?:label|l)[ \\t]+${label}`,
    `(?:reset|t)[ \\t]+(?:\\[new root\\]|${label})${rest}`,
    `(?:merge|m)[ \\t]+(?:-[cC][ \\t]*${commit}[ \\t]+)?${label}${rest}`,
    `(?:update-ref|u)[ \\t]+refs/${label}`,
    'noop',
    'break',
    'b',
  ].join('|')})[ \\t\\r]*$`,
);
const executing = /^(?:exec|x)(?:[ \t]|$)/;
const picking = new RegExp(`^(?:pick|p|revert)[ \\t]+${commit}${rest}$`);
/** git knows no command that begins with a punctuation mark, whichever of them introduces a comment */
const comment = /^[^\w\s]/;

/** The steps that a rebase has left; none of them may be a shell command. */
export const rebaseSteps = stepsOf(rebasing);
/** The steps that a rebase has done; nobody repeats them. */
export const doneSteps = stepsOf(new RegExp(`${rebasing.source}|${executing.source}`));
export const pickSteps = stepsOf(picking);

function stepsOf(pattern: RegExp): Grammar {
  return (text) => {
    // git stops reading at a NUL
    if (text.includes('\0')) return 'has a NUL';
    const rows = text.split('\n').map((row) => row.replace(/^[ \t]+/, ''));
    const index = rows.findIndex((row) => row.trim() !== '' && !comment.test(row) && !pattern.test(row));
    if (index === -1) return undefined;
    const what = executing.test(rows[index]!) ? 'runs a command (exec)' : 'is no step that git writes';
    return `has a line ${index + 1} that ${what}`;
  };
}
