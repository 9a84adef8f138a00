import { type Database, loadDriver } from '../driver.ts';

/** A copy in the server's own folder, open for what only its owner does. */
export function openCopy(path: string): Database {
  const copy = new (loadDriver())(path, { fileMustExist: true });
  copy.pragma('trusted_schema = OFF');
  copy.pragma('cell_size_check = ON');
  return copy;
}

/** What is wrong with a copy; undefined when it is sound. */
export function integrityProblem(path: string): string | undefined {
  const copy = openCopy(path);
  try {
    const found = copy.pragma('quick_check(1)', { simple: true }) as string;
    return found === 'ok' ? undefined : found;
  } catch (error) {
    return (error as Error).message;
  } finally {
    // the last one to close takes the WAL and its index away
    copy.close();
  }
}
