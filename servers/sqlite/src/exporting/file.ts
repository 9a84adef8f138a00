import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Scope, showName, streamFile, toFileUri } from '@rootbound/kit/boundary';
import { type ContentBlock, ToolError } from '@rootbound/protocol';
import { alreadyExists } from './destination.ts';

/** Writes a piece; resolves when the next one may follow. */
export type Write = (piece: Buffer) => Promise<void>;

export interface WrittenFile {
  readonly uri: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface WriteOptions {
  readonly overwrite: boolean;
  readonly signal: AbortSignal;
}

/** Writes a file in the roots atomically from the pieces that `produce` writes. */
export async function writeFile(
  scope: Scope,
  path: string,
  { overwrite, signal }: WriteOptions,
  produce: (write: Write) => Promise<void>,
): Promise<WrittenFile> {
  const hash = createHash('sha256');
  try {
    const { path: real, bytes } = await streamFile(
      scope,
      path,
      (write) =>
        produce((piece) => {
          hash.update(piece);
          return write(piece);
        }),
      { signal, exclusive: !overwrite, fsync: true },
    );
    return { uri: toFileUri(real), bytes, sha256: hash.digest('hex') };
  } catch (error) {
    // another program has created the file meanwhile
    throw error instanceof ToolError && error.code === 'exists' ? alreadyExists(path) : error;
  }
}

/** Returns a resource link to a written file. */
export function linkTo(path: string, { uri, bytes }: WrittenFile, mimeType: string): ContentBlock {
  return { type: 'resource_link', uri, name: showName(basename(path)), mimeType, size: bytes };
}
