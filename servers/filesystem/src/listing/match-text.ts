/** A matching line in a result. */
export interface MatchingLine {
  line: number;
  endLine?: number;
  text: string;
  clipped?: boolean;
  before?: string[];
  after?: string[];
}

/** Returns the matching lines of one file in ripgrep's format, each context line once. */
export function matchLines(path: string, matches: readonly MatchingLine[]): string[] {
  const rendered = new Map<number, string>();
  let context = false;
  const around = (line: number, text: string): void => {
    context = true;
    if (!rendered.has(line)) rendered.set(line, `${path}-${line}- ${text}`);
  };
  for (const { line, endLine = line, text, clipped, before = [], after = [] } of matches) {
    before.forEach((other, index) => {
      around(line - before.length + index, other);
    });
    const own = endLine === line ? [text] : text.split(/\r?\n/);
    own.forEach((part, index) => {
      const cut = clipped === true && index === own.length - 1 ? ' [cut]' : '';
      rendered.set(line + index, `${path}:${line + index}: ${part}${cut}`);
    });
    after.forEach((other, index) => {
      around(endLine + 1 + index, other);
    });
  }
  const numbers = [...rendered.keys()].sort((a, b) => a - b);
  return numbers.flatMap((line, index) => {
    const apart = context && index > 0 && numbers[index - 1] !== line - 1;
    return apart ? ['--', rendered.get(line)!] : [rendered.get(line)!];
  });
}
