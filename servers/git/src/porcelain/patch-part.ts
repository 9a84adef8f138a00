import type { FilePatch } from './hunks.ts';
import { bytesOfName } from './names.ts';

export interface Part {
  /** whether to include the changes of the head: a mode, a name */
  readonly change: boolean;
  readonly hunks: boolean;
  /** all lines of all hunks */
  readonly complete: boolean;
  readonly reverse: boolean;
}

/** Returns the head of a patch with a part of the changes of another one. */
export function partialHead(file: FilePatch, part: Part): Buffer {
  const appears = file.kind === (part.reverse ? 'deleted' : 'created');
  if (!part.change && !appears) return plainHead(file, part.reverse);
  const lines = file.bytes.toString('latin1').split('\n').slice(0, -1);
  // the objects are those of the whole patch; sides are named only before hunks
  const wanted = lines.filter(
    (line) => !line.startsWith('index ') && (part.hunks || !/^(?:---|\+\+\+) /.test(line)),
  );
  return Buffer.from(wanted.map((line) => `${line}\n`).join(''), 'latin1');
}

/** Returns the head for a file on both sides, under its name where the patch is applied. */
function plainHead(file: FilePatch, reverse: boolean): Buffer {
  const name = quoted(bytesOfName(reverse ? file.path : (file.from ?? file.path)));
  const [old, now] = [`"a/${name}"`, `"b/${name}"`];
  return Buffer.from(`diff --git ${old} ${now}\n--- ${old}\n+++ ${now}\n`);
}

/** Returns a name quoted as git reads it. */
function quoted(name: Buffer): string {
  return name.toString('latin1').replace(/[^ !#-[\]-~]/g, (byte) => {
    return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}
