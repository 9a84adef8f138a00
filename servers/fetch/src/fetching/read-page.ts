import type { CallContext } from '@rootbound/protocol';
import type { Wanted } from '../reading/reading.ts';
import type { Workspace } from '../workspace.ts';
import type { PageArguments } from './arguments.ts';
import { type Loaded, loadPage } from './load-page.ts';

/** The page that a tool was asked for, loaded for its call. */
export function readPage(
  args: PageArguments,
  { scope, signal, progress }: CallContext<Workspace>,
  want: Wanted = 'article',
): Promise<Loaded> {
  const onProgress = (bytes: number, total: number | undefined): void =>
    progress(bytes, total, `read ${bytes} bytes`);
  return loadPage(scope, args, { want, signal, onProgress });
}
