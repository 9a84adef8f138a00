import type { ExactCell } from './cells.ts';
import { doubled } from './doubled.ts';
import { realText } from './numbers.ts';

/** The SQL literal that gives the same value again, in whatever encoding the database has that reads it. */
export function literal(value: ExactCell): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value === 'number') return realText(value);
  if (typeof value === 'bigint') return value.toString();
  return Buffer.isBuffer(value)
    ? `X'${value.toString('hex')}'`
    : `CAST(X'${value.text.toString('hex')}' AS TEXT)`;
}

/** A NUL would end the statement. */
function textLiteral(text: string): string {
  if (!text.includes('\0')) return quoted(text);
  return `(${text.split('\0').map(quoted).join('||char(0)||')})`;
}

function quoted(text: string): string {
  return `'${doubled(text, "'")}'`;
}
