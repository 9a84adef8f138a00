import { messageOf } from '../../shared/error.ts';
import { type Database, loadDriver } from '../driver.ts';

/** Opens a copy in the server's own folder for reading and writing. */
export function openCopy(path: string): Database {
  const copy = new (loadDriver())(path, { fileMustExist: true });
  copy.pragma('trusted_schema = OFF');
  copy.pragma('cell_size_check = ON');
  return copy;
}

/** Returns the first problem that quick_check finds in a copy; undefined if none. */
export function integrityProblem(path: string): string | undefined {
  const copy = openCopy(path);
  try {
    const found = copy.pragma('quick_check(1)', { simple: true }) as string;
    return found === 'ok' ? undefined : found;
  } catch (error) {
    return messageOf(error);
  } finally {
    // the last connection to close removes the -wal and -shm files
    copy.close();
  }
}
