import type { CallContext } from '@rootbound/protocol';
import type { Wanted } from '../reading/reading.ts';
import type { Workspace } from '../workspace.ts';
import { type Loaded, loadPage } from './load-page.ts';
import type { PageArguments } from './page-arguments.ts';
import { invalidArguments } from './tool-result.ts';

/** Loads the page that a tool's arguments select. */
export function loadForTool(
  args: PageArguments,
  { scope, signal, progress }: CallContext<Workspace>,
  want: Wanted = 'article',
): Promise<Loaded> {
  assertRenderable(scope, args);
  const onProgress = (bytes: number, total: number | undefined): void =>
    progress(bytes, total, `read ${bytes} bytes`);
  return loadPage(scope, args, { want, signal, onProgress });
}

/** Throws if the arguments need a browser and the server has none. */
function assertRenderable({ engine }: Workspace, { render, wait_for }: PageArguments): void {
  if ((render === true || wait_for !== undefined) && !engine.renders)
    throw invalidArguments(
      'this server has no browser to render with',
      'leave out render and wait_for; the operator can name a Chromium with --browser',
    );
  if (render !== true && wait_for !== undefined)
    throw invalidArguments('wait_for needs a rendered page', 'give render: true with it, or leave it out');
}
