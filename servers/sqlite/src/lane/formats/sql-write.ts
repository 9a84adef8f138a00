import type { ExactCell } from './cells.ts';
import { doubled } from './doubled.ts';
import { realText } from './numbers.ts';

/** Returns the SQL literal of a value, exact in a database of any encoding. */
export function literal(value: ExactCell): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value === 'number') return realText(value);
  if (typeof value === 'bigint') return value.toString();
  return Buffer.isBuffer(value)
    ? `X'${value.toString('hex')}'`
    : `CAST(X'${value.text.toString('hex')}' AS TEXT)`;
}

/** Returns a text literal; NUL is written as char(0), since it would end the statement. */
function textLiteral(text: string): string {
  if (!text.includes('\0')) return quoted(text);
  return `(${text.split('\0').map(quoted).join('||char(0)||')})`;
}

function quoted(text: string): string {
  return `'${doubled(text, "'")}'`;
}
