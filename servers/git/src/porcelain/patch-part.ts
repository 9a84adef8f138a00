import type { FilePatch } from './hunks.ts';
import { bytesOfName } from './names.ts';

export interface Part {
  /** with what the head says: a mode, a name */
  readonly change: boolean;
  readonly hunks: boolean;
  /** all lines of all hunks */
  readonly complete: boolean;
  readonly reverse: boolean;
}

/** The head of a patch that does only a part of what one of git's does. */
export function partialHead(file: FilePatch, part: Part): Buffer {
  const appears = file.kind === (part.reverse ? 'deleted' : 'created');
  if (!part.change && !appears) return plainHead(file, part.reverse);
  const lines = file.bytes.toString('latin1').split('\n').slice(0, -1);
  // the objects are those of the whole; sides are named only before hunks
  const wanted = lines.filter(
    (line) => !line.startsWith('index ') && (part.hunks || !/^(?:---|\+\+\+) /.test(line)),
  );
  return Buffer.from(wanted.map((line) => `${line}\n`).join(''), 'latin1');
}

/** For a file that is there before and after, under the name it has where the patch is applied. */
function plainHead(file: FilePatch, reverse: boolean): Buffer {
  const name = quoted(bytesOfName(reverse ? file.path : (file.from ?? file.path)));
  const [old, now] = [`"a/${name}"`, `"b/${name}"`];
  return Buffer.from(`diff --git ${old} ${now}\n--- ${old}\n+++ ${now}\n`);
}

/** As git reads a name between quotes. */
function quoted(name: Buffer): string {
  return name.toString('latin1').replace(/[^ !#-[\]-~]/g, (byte) => {
    return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}
