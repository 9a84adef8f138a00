import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Scope, showName, streamFile, toFileUri } from '@rootbound/kit/boundary';
import { type ContentBlock, ToolError } from '@rootbound/protocol';
import { alreadyExists } from './destination.ts';

/** Writes a piece; it is on its way to the disk when this resolves. */
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

/** Writes a file in the roots in one step from what `produce` makes meanwhile. */
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
    // made by somebody else meanwhile
    throw error instanceof ToolError && error.code === 'exists' ? alreadyExists(path) : error;
  }
}

/** A link to a file that was written. */
export function linkTo(path: string, { uri, bytes }: WrittenFile, mimeType: string): ContentBlock {
  return { type: 'resource_link', uri, name: showName(basename(path)), mimeType, size: bytes };
}
