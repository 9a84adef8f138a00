import { headLine } from '../../shared/values/lines.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';

/** What a page says of its columns: as JSON, and as the line above its rows. */
export interface Heading {
  readonly json: Buffer;
  readonly line: Buffer;
  /** bytes that the line takes within a JSON string, at the most */
  readonly lineBytes: number;
}

const headings = new WeakMap<readonly ResultColumn[], Heading>();

/** The heading of these columns, from the last time where there was one. */
export function headingOf(columns: readonly ResultColumn[]): Heading {
  let heading = headings.get(columns);
  if (heading === undefined) {
    const names = columns.map(({ name }) => name);
    heading = {
      json: Buffer.from(JSON.stringify(columns)),
      line: Buffer.from(`${headLine(names)}\n`),
      lineBytes: Buffer.byteLength(JSON.stringify(names)),
    };
    headings.set(columns, heading);
  }
  return heading;
}
