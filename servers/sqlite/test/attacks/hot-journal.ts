import { readFileSync } from 'node:fs';

const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
const SECTOR = 512;

/**
 * A rollback journal as of a writer that ended within a transaction over several files, with this super-journal.
 * Source: https://sqlite.org/fileformat2.html#the_rollback_journal
 */
export function hotJournal(database: string, superJournal: string): Buffer {
  const file = readFileSync(database);
  const pageSize = file.readUInt16BE(16);
  const header = Buffer.alloc(SECTOR);
  MAGIC.copy(header);
  header.writeUInt32BE(0, 8); // number of pages
  header.writeUInt32BE(7, 12); // nonce
  header.writeUInt32BE(file.length / pageSize, 16);
  header.writeUInt32BE(SECTOR, 20);
  header.writeUInt32BE(pageSize, 24);
  return Buffer.concat([header, trailerOf(superJournal)]);
}

/** The end of a journal that names a super-journal. */
export function trailerOf(superJournal: string): Buffer {
  const name = Buffer.from(superJournal);
  const trailer = Buffer.alloc(4 + name.length + 8);
  trailer.writeUInt32BE(2 ** 30 / 4096 + 1, 0);
  name.copy(trailer, 4);
  trailer.writeUInt32BE(name.length, 4 + name.length);
  trailer.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    8 + name.length,
  );
  return Buffer.concat([trailer, MAGIC]);
}
