/** Separator between the values of a line. */
const BETWEEN = ' | ';
/** Matches text that would be read as another value, or as two values. */
const TAKEN_FOR_OTHER = /^(?:|NULL|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?Infinity|x'.*|[{[].*|\s.*|.*\s)$|[|\\]/;
const MOST_BLOB_BYTES = 32;

/** Returns a row as a readable line: plain values, and text in JSON quotes if it would be ambiguous. */
export function lineOf(row: string): string {
  const cells: string[] = [];
  for (let at = 1; at < row.length - 1; ) {
    const end = cellEnd(row, at);
    cells.push(renderCell(row.slice(at, end)));
    at = end + 1;
  }
  return cells.join(BETWEEN);
}

/** Returns column names as a line. */
export function headLine(names: readonly string[]): string {
  return names.map((name) => renderCell(JSON.stringify(name))).join(BETWEEN);
}

/** Returns the JSON text of one value of a row. */
export function cellOf(row: string, number: number): string {
  let at = 1;
  for (let passed = 0; passed < number; passed += 1) at = cellEnd(row, at) + 1;
  return row.slice(at, cellEnd(row, at));
}

/**
 * Returns the end of the value that begins here in a row's JSON text. Rows contain no arrays, and objects no objects.
 */
function cellEnd(row: string, at: number): number {
  const first = row[at];
  if (first === '"') return stringEnd(row, at);
  if (first !== '{') {
    const comma = row.indexOf(',', at);
    return comma === -1 ? row.length - 1 : comma;
  }
  let from = at + 1;
  while (row[from] !== '}') from = row[from] === '"' ? stringEnd(row, from) : from + 1;
  return from + 1;
}

function stringEnd(row: string, at: number): number {
  for (let end = row.indexOf('"', at + 1); ; end = row.indexOf('"', end + 1)) {
    let slashes = 0;
    while (row[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
}

function renderCell(cell: string): string {
  if (cell === 'null') return 'NULL';
  if (cell.startsWith('"')) {
    const inner = cell.slice(1, -1);
    return TAKEN_FOR_OTHER.test(inner) ? cell : inner;
  }
  return cell.startsWith('{') ? tagged(cell) : cell;
}

/** A tagged value, which JSON cannot represent otherwise. */
interface Tagged {
  readonly $int?: string;
  readonly $real?: string;
  readonly $text?: string;
  readonly $text_base64?: string;
  readonly $blob?: string;
  readonly bytes?: number;
}

function tagged(cell: string): string {
  const { $int, $real, $text, $blob, bytes } = JSON.parse(cell) as Tagged; // written by this server
  if ($int !== undefined) return $int;
  if ($real !== undefined) return $real;
  if ($text !== undefined) return `${JSON.stringify($text)} (the first of ${bytes} bytes)`;
  if ($blob === undefined) return cell;
  const first = Buffer.from($blob, 'base64').subarray(0, MOST_BLOB_BYTES);
  const more = first.length < bytes! ? ` (the first of ${bytes} bytes)` : '';
  return `x'${first.toString('hex')}'${more}`;
}
