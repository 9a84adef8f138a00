import { realpathSync, statSync } from 'node:fs';
import { afterEach } from 'vitest';
import { type Connection, openConnection } from '../../src/lane/connection.ts';
import type { Mode } from '../../src/shared/frames.ts';

const opened: Connection[] = [];

afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

/** Returns a connection as in a lane, in this process; it is closed after the test. */
export function connected(file: string, mode: Mode = 'read'): Connection {
  const path = realpathSync(file);
  const { dev, ino } = statSync(path);
  const connection = openConnection({
    path,
    dev: String(dev),
    ino: String(ino),
    mode,
    readOnly: false,
    ownsSideFiles: false,
    busyMs: 1000,
    mostBytes: 2 ** 32,
  });
  opened.push(connection);
  return connection;
}
