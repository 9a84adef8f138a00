import { Pager, type PatchPage, type PatchPageOptions } from './pager.ts';
import { PatchScanner } from './scanner.ts';

/**
 * Reads whole hunks of a patch, as git prints it, until the page is full; undefined where the position is of another
 * patch. It reads no more of the stream than that takes: await its `finished` afterwards, which reports a failure of
 * git. @example const { chunks, finished } = opened.stream(patchCommand({ sides })); const page = await
 * patchPage(chunks, { budget: 50_000 }); await finished;
 */
export async function patchPage(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  options: PatchPageOptions,
): Promise<PatchPage | undefined> {
  const pager = new Pager(options);
  const scanner = new PatchScanner();
  for await (const chunk of chunks) {
    for (const part of scanner.read(chunk)) {
      pager.add(part);
      if (pager.full) return pager.page();
    }
  }
  const last = scanner.end();
  if (last !== undefined) pager.add(last);
  pager.end();
  return pager.page();
}
