import { Buffer } from 'node:buffer';
import { ToolError } from '@rootbound/protocol';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Characters of the longest cursor that is parsed; a cursor has a path and a few numbers. */
const MAX_LENGTH = 65_536;
const CHECK_BYTES = 4;

/**
 * Returns an opaque text for a position in a listing. It contains no secret and grants nothing: it survives a restart,
 * and its reader checks the position against the boundary again. `kind` names the listing that it continues.
 */
export function sealCursor(kind: string, value: Json): string {
  const body = Buffer.from(JSON.stringify([kind, value]));
  const sealed = Buffer.allocUnsafe(CHECK_BYTES + body.length);
  sealed.writeUInt32BE(fnv1a(body), 0);
  body.copy(sealed, CHECK_BYTES);
  return sealed.toString('base64url');
}

/**
 * Returns the value that `sealCursor` was given for this kind. Foreign, modified and misused cursors, and values that
 * `is` does not accept, end in the `invalid-cursor` failure. @example const { after } = openCursor('list_directory',
 * cursor, isPosition);
 */
export function openCursor<T = unknown>(
  kind: string,
  text: string,
  is: (value: unknown) => value is T = isAnything,
): T {
  const opened = unseal(text);
  if (!Array.isArray(opened) || opened.length !== 2 || opened[0] !== kind) throw invalidCursor();
  const value: unknown = opened[1];
  if (!is(value)) throw invalidCursor();
  return value;
}

/** Returns the failure for every cursor that cannot be continued, also for one whose snapshot is gone. */
export function invalidCursor(): ToolError {
  return new ToolError("cursor is not one of this server's; start again without it", {
    code: 'invalid-cursor',
  });
}

function unseal(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined;
  const sealed = Buffer.from(text, 'base64url');
  if (sealed.length <= CHECK_BYTES) return undefined;
  // the decoder skips characters that are not base64url, so only the exact spelling counts
  if (sealed.toString('base64url') !== text) return undefined;
  const body = sealed.subarray(CHECK_BYTES);
  if (sealed.readUInt32BE(0) !== fnv1a(body)) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    // not JSON: the checksum matched by chance, and the caller rejects undefined
    return undefined;
  }
}

function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash >>> 0;
}

function isAnything<T>(_value: unknown): _value is T {
  return true;
}
