/** Reference implementation of edits; returns undefined if they are refused. */
export interface Edit {
  oldText?: string;
  newText: string;
  replaceAll?: boolean;
  expected?: number;
  startLine?: number;
  endLine?: number;
  insertLine?: number;
}

export function reference(text: string, edits: readonly Edit[]): string | undefined {
  let current = byLines(text, edits);
  for (const edit of edits)
    if (current !== undefined && edit.oldText !== undefined) current = byText(current, edit, edit.oldText);
  return current;
}

const crlf = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n');
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function byLines(text: string, edits: readonly Edit[]): string | undefined {
  const lines = linesOf(text);
  const bare = text !== '' && !text.endsWith('\n');
  const owner: (Edit | undefined)[] = lines.map(() => undefined);
  for (const edit of edits) {
    if (edit.startLine === undefined) continue;
    const { startLine, endLine = startLine } = edit;
    if (endLine < startLine || endLine > lines.length) return undefined;
    for (let line = startLine; line <= endLine; line++) {
      if (owner[line - 1] !== undefined) return undefined;
      owner[line - 1] = edit;
    }
  }
  const written = (newText: string, end: string): string => {
    const body = newText.endsWith('\r\n') ? newText.slice(0, -2) : newText.replace(/\n$/, '');
    return `${end === '\r\n' ? crlf(body) : body}${end}`;
  };
  const endOf = (line: number): string => (lines[line - 1]?.endsWith('\r\n') ? '\r\n' : '\n');
  let result = '';
  for (let line = 0; line <= lines.length; line++) {
    // the text inserted after this line, then the next line
    for (const edit of edits) {
      if (edit.insertLine !== line) continue;
      if (line > 0 && line < lines.length && owner[line - 1] !== undefined && owner[line - 1] === owner[line])
        return undefined;
      if (text === '') result += edit.newText;
      else if (line === lines.length && bare) {
        const end = endOf(line - 1);
        const starts = result === '' || result.endsWith('\n');
        result += `${starts ? '' : end}${written(edit.newText, end).slice(0, -end.length)}`;
      } else result += written(edit.newText, line === 0 ? endOf(1) : endOf(line));
    }
    if (line === lines.length) break;
    const edit = owner[line];
    if (edit === undefined) result += lines[line];
    else if (owner[line - 1] !== edit && edit.newText !== '') {
      const last = edit.endLine ?? edit.startLine!;
      if (last === lines.length && bare) {
        const first = edit.startLine!;
        const end = first > 1 ? endOf(first - 1) : endOf(1);
        result += written(edit.newText, end).slice(0, -end.length);
      } else result += written(edit.newText, endOf(last));
    }
  }
  if (edits.some(({ insertLine = 0 }) => insertLine > lines.length)) return undefined;
  return result;
}

function byText(text: string, edit: Edit, oldText: string): string | undefined {
  const searched = [oldText, ...(oldText.includes('\r') ? [] : [crlf(oldText)])].find((one) =>
    text.includes(one),
  );
  if (searched === undefined) return undefined;
  const wanted = edit.expected ?? (edit.replaceAll === true ? undefined : 1);
  let result = '';
  let count = 0;
  let at = 0;
  for (let found = text.indexOf(searched); found >= 0; found = text.indexOf(searched, at)) {
    const wide = searched.startsWith('\n') && !searched.includes('\r') && text[found - 1] === '\r';
    const start = wide ? found - 1 : found;
    const end = found + searched.length;
    result += text.slice(at, start);
    result += replacement(text, start, end, edit.newText);
    at = end;
    count += 1;
  }
  return wanted === undefined || wanted === count ? result + text.slice(at) : undefined;
}

function replacement(text: string, start: number, end: number, newText: string): string {
  const place = text.slice(start, end);
  if (place === crlf(newText)) return newText;
  const ends = linesOf(place).filter((line) => line.endsWith('\n'));
  const pairs = ends.filter((line) => line.endsWith('\r\n'));
  if (ends.length > 0) return pairs.length * 2 > ends.length ? crlf(newText) : newText;
  const next = text.indexOf('\n', end);
  const newline = next < 0 ? text.lastIndexOf('\n') : next;
  return newline > 0 && text[newline - 1] === '\r' ? crlf(newText) : newText;
}
