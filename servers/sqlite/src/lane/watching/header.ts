/** The header of a database. Source: https://sqlite.org/fileformat2.html#the_database_header */
export interface Header {
  readonly pageSize: number;
  /** usable bytes of a page */
  readonly usable: number;
  /** file change counter, changed by each commit that does not go to a WAL */
  readonly counter: number;
  /** schema cookie, changed by each schema change */
  readonly cookie: number;
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be';
  /** whether the database is in WAL mode */
  readonly wal: boolean;
}

export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

export function parseHeader(bytes: Buffer): Header | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const written = bytes.readUInt16BE(16);
  const pageSize = written === 1 ? 65_536 : written;
  if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0) return undefined;
  const encoding = bytes.readUInt32BE(56);
  return {
    pageSize,
    usable: pageSize - bytes[20]!,
    counter: bytes.readUInt32BE(24),
    cookie: bytes.readUInt32BE(40),
    encoding: encoding === 2 ? 'utf16le' : encoding === 3 ? 'utf16be' : 'utf8',
    wal: bytes[19] === 2,
  };
}
