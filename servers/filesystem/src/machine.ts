import type { Check } from '@rootbound/kit/cli';
import { createSearch } from './search/index.ts';

/** The time that a worker may take to load, in milliseconds. */
const LOAD_MS = 10_000;

/** Returns the checks of `--doctor` for this server: whether a worker thread for searches starts. */
export async function checkMachine(): Promise<readonly Check[]> {
  const search = createSearch({ workers: 1 });
  const late = setTimeout(() => void search.close(), LOAD_MS);
  try {
    await search.warm();
    return [{ state: 'ok', what: 'searches run in worker threads; ripgrep is not needed' }];
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return [
      {
        state: 'fail',
        what: `the worker thread for searches does not start: ${line}`,
        fix: 'install it again',
      },
    ];
  } finally {
    clearTimeout(late);
    await search.close();
  }
}
