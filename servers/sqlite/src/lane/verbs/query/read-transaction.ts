import { statSync } from 'node:fs';
import { LaneError } from '../../../shared/error.ts';
import { quoteName } from '../../../shared/sql/names.ts';
import type { Connection } from '../../connection.ts';
import { assertPlainSideFiles } from '../../journal.ts';

/** Another database that a query reads, as the boundary verified it. */
export interface Attachment {
  readonly alias: string;
  readonly real: string;
  readonly dev: string;
  readonly ino: string;
}

/** A read transaction, with attached databases if any. */
export interface ReadTransaction {
  readonly connection: Connection;
  end(): void;
}

/** Begins a read transaction with the given databases attached; `end` commits it and detaches them. */
export function beginRead(connection: Connection, attachments: readonly Attachment[]): ReadTransaction {
  const { db } = connection;
  const attached: string[] = [];
  const end = (): void => {
    if (db.inTransaction) connection.prepare('COMMIT').run();
    for (const alias of attached.splice(0)) db.exec(`DETACH ${quoteName(alias)}`);
  };
  try {
    for (const one of attachments) {
      assertPlainSideFiles(one.real);
      db.prepare(`ATTACH ? AS ${quoteName(one.alias)}`).run(one.real);
      attached.push(one.alias);
      assertSame(connection, one);
    }
    connection.prepare('BEGIN').run();
    // cached statements are not valid with attached databases
    return { connection: attachments.length === 0 ? connection : connection.uncached(), end };
  } catch (error) {
    end();
    throw error;
  }
}

/** Throws unless SQLite attached the file that the boundary verified; SQLite opens by path. */
function assertSame({ db }: Connection, { alias, real, dev, ino }: Attachment): void {
  const list = db.pragma('database_list') as { name: string; file: string }[]; // columns of the pragma
  const now = statSync(real);
  const isOpen = list.some(({ name, file }) => name === alias && file === real);
  if (isOpen && String(now.dev) === dev && String(now.ino) === ino) return;
  throw new LaneError(`the database for ${alias} was replaced while it was being opened`, {
    code: 'changed',
    retryable: true,
  });
}
