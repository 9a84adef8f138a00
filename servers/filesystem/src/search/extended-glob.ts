import picomatch from 'picomatch';
import type { Glob } from './glob.ts';
import { toText } from './order.ts';
import { SearchError } from './query.ts';

const MOST_WILDCARDS = 4;

/** The glob of a pattern with braces, extended groups or negation; refused where it could backtrack without end. */
export function extendedGlob(pattern: string): Glob {
  const wildcards = pattern.match(/\*\*|[*+]/g)?.length ?? 0;
  if (wildcards > MOST_WILDCARDS || /[*+]\([^)]*[*+(]/.test(pattern)) {
    throw new SearchError('pattern', 'glob is too complex: use fewer wildcards, or several globs');
  }
  // strict slashes: `dir/**` is what is below dir, not dir itself
  const matches = picomatch(pattern, { dot: true, strictSlashes: true });
  return {
    inside: (prefix) => {
      const shown = toText(prefix);
      return (name) => matches(shown + toText(name));
    },
    reaches: () => true,
  };
}
