import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { OpenFile } from '@rootbound/kit/boundary';

const reading = promisify(read);
const PIECE_BYTES = 256 << 10;

/** Reads an open file from its start in pieces. */
export async function* piecesOf({ fd }: Pick<OpenFile, 'fd'>): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    // each piece gets its own buffer: the previous one may still be on its way to another process
    const { bytesRead, buffer } = await reading(fd, Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
