import type { Check } from '@rootbound/kit/cli';
import { createSearch } from './search/index.ts';

/** How long a worker may take to load, ms. */
const LOAD_MS = 10_000;

/** The lines of `--doctor` that only this server has: whether it can search, for which it needs no other program. */
export async function checkMachine(): Promise<readonly Check[]> {
  const search = createSearch({ workers: 1 });
  const late = setTimeout(() => void search.close(), LOAD_MS);
  try {
    await search.warm();
    return [{ state: 'ok', what: 'searches run in threads of this program, and need no ripgrep' }];
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return [
      { state: 'fail', what: `the thread for searches does not start: ${line}`, fix: 'install it again' },
    ];
  } finally {
    clearTimeout(late);
    await search.close();
  }
}
