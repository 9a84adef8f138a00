/** A number beyond the range of a double, which JSON and SQL parsers read as infinity. */
const INFINITY = '9.0e+999';

/** Returns the shortest text that reads back as the same REAL and not as an INTEGER. */
export function realText(value: number): string {
  if (Number.isFinite(value)) {
    if (Object.is(value, -0)) return '-0.0';
    const text = String(value);
    return /[.e]/.test(text) ? text.replace(/^(-?\d+)e/, '$1.0e') : `${text}.0`;
  }
  return value < 0 ? `-${INFINITY}` : INFINITY;
}

const MOST = 2n ** 63n - 1n;
const LEAST = -(2n ** 63n);

/** Returns whether the value fits SQLite's INTEGER. */
export function isInt64(value: bigint): boolean {
  return value >= LEAST && value <= MOST;
}

const integer = /^(?:0|-?[1-9]\d*)$/;
const LONGEST_INT64 = 20;

/** Returns whether a text is an INTEGER in its canonical digits: no plus sign, leading zeros or space. */
export function isIntegerText(text: string): boolean {
  return integer.test(text) && text.length <= LONGEST_INT64 && (text.length < 19 || isInt64(BigInt(text)));
}

const ZERO = 48;
const decimal = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Returns whether two decimal texts denote the same number. */
export function sameNumber(one: string, other: string): boolean {
  return one === other || normalized(one) === normalized(other);
}

/** Returns a canonical spelling: sign, digits without outer zeros, and exponent. */
function normalized(text: string): string {
  const [, whole = '', fraction = '', power = '0'] = decimal.exec(text) ?? [];
  const digits = whole + fraction;
  let first = 0;
  while (digits.charCodeAt(first) === ZERO) first += 1;
  let end = digits.length;
  while (end > first && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  const sign = text.startsWith('-') ? '-' : '';
  if (first === end) return `${sign}0`;
  const exponent = BigInt(power) + BigInt(digits.length - end - fraction.length);
  return `${sign}${digits.slice(first, end)}e${exponent}`;
}
