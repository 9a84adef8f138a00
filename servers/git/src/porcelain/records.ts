import { isUtf8 } from 'node:buffer';
import { ToolError } from '@rootbound/protocol';
import { type Oid, toOid } from '../run/oid.ts';

/** The NUL-ended records that git printed, as byte strings; an unfinished one at the end of cut output is left out. */
export function recordsOf(bytes: Buffer): string[] {
  const records = bytes.toString('latin1').split('\0');
  records.pop();
  return records;
}

/**
 * Rows of as many fields, each ended by NUL, that a format of ours printed. The newline that git puts after a row is
 * taken off where it begins the next; an unfinished row is left out.
 */
export function rowsOf(bytes: Buffer, fields: number): string[][] {
  const all = bytes.toString('latin1').split('\0');
  const rows: string[][] = [];
  for (let at = 0; at + fields < all.length; at += fields) {
    const row = all.slice(at, at + fields);
    if (at > 0 && row[0]!.startsWith('\n')) row[0] = row[0]!.slice(1);
    rows.push(row);
  }
  return rows;
}

/** A byte string as text for people: UTF-8, or Latin-1 where it is not that. */
export function textOf(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString() : bytes;
}

/** An object's name in a field where git writes zeros, or nothing, for none. */
export function oidOf(field: string): Oid | undefined {
  return /^0*$/.test(field) ? undefined : toOid(field);
}

/** Returns the failure for output that git's documentation does not promise, as a damaged index brings it about. */
export function unexpected(what: string): ToolError {
  return new ToolError(`git printed an unexpected ${what}`, {
    code: 'git-failed',
    hint: 'git fsck shows what is damaged',
  });
}
