import { isUtf8 } from 'node:buffer';
import { ToolError } from '@rootbound/protocol';
import { type Oid, toOid } from '../run/oid.ts';

/** Returns the NUL-ended records of git's output, as byte strings, without an incomplete last one. */
export function recordsOf(bytes: Buffer): string[] {
  const records = bytes.toString('latin1').split('\0');
  records.pop();
  return records;
}

/**
 * Returns rows of a fixed number of fields, each ended by NUL, that one of our formats printed, without the newline
 * that git prints after a row and without an incomplete last row.
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

/** Decodes a byte string as text for people: UTF-8, or Latin-1 where it is not that. */
export function textOf(bytes: string): string {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString() : bytes;
}

/** Returns the object name in a field; undefined for zeros or an empty field. */
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
