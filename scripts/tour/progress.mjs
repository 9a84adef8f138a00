import { basename } from 'node:path';
import { callTool, milliseconds, number } from './answers.mjs';

/**
 * Reads the last line of a long file and draws the progress that the server reports.
 * @param {import('./scenes.mjs').Setting} setting
 */
export async function showProgress({ client, stage, screen }) {
  const { path, mebibytes, lines, last } = stage.log;
  let notifications = 0;
  const onProgress = (
    /** @type {import('@rootbound/protocol/client').ProgressUpdate} */ { progress, total },
  ) => {
    notifications += 1;
    if (total !== undefined) screen.bar(progress / total);
  };
  screen.row('progress', `read_text_file of line ${number(lines)} of ${basename(path)}, ${mebibytes} MiB`);
  const started = performance.now();
  const { structuredContent: read } = await callTool(
    client,
    'read_text_file',
    { path, startLine: lines, endLine: lines },
    { onProgress },
  );
  const took = milliseconds(performance.now() - started);
  screen.end();
  if (String(read.text).trimEnd() !== last)
    throw new Error(`line ${lines} of ${path} is another one than was written`);
  if (notifications === 0) throw new Error('the server reported no progress');
  screen.row('', `${notifications} progress notifications in ${took}; the line reads`);
  screen.quote(last);
}
