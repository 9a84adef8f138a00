import { isObject } from '../jsonrpc/message.ts';
import type * as t from './types.ts';

const size = /^(?:any|[1-9]\d{0,4}x[1-9]\d{0,4})$/;

/**
 * Throws a TypeError for icons that clients must reject: a scheme other than `https:` and `data:`, or invalid
 * sizes or themes.
 */
export function checkIcons(what: string, icons: readonly t.Icon[] | undefined): void {
  for (const { src, sizes = [], theme } of icons ?? []) {
    if (!isSafeIcon(src)) throw new TypeError(`icons of ${what}: src must be an https: or data:image/ URI`);
    if (!Array.isArray(sizes) || !sizes.every((one) => size.test(one)))
      throw new TypeError(`icons of ${what}: sizes must be a list of sizes such as 48x48, or any`);
    if (theme !== undefined && theme !== 'light' && theme !== 'dark')
      throw new TypeError(`icons of ${what}: theme must be light or dark`);
  }
}

/** Returns true if the address of an icon has an allowed scheme. */
export function isSafeIcon(src: unknown): src is string {
  if (typeof src !== 'string') return false;
  if (/^data:image\//i.test(src)) return true;
  try {
    const { protocol, username, password } = new URL(src);
    return protocol === 'https:' && username === '' && password === '';
  } catch {
    // not a URL
    return false;
  }
}

/**
 * Returns the icons that a client may load: those of the server's own origin, and those in `data:` URIs.
 * @example
 * usableIcons([{ src: 'javascript:alert(1)' }, { src: 'https://example.com/a.png' }], 'https://example.com/mcp').length; // => 1
 */
export function usableIcons(
  icons: readonly t.Icon[] | undefined,
  server: string | URL | undefined,
): t.Icon[] {
  const origin = server === undefined ? undefined : new URL(server).origin;
  return (icons ?? []).filter(({ src }) => {
    if (!isSafeIcon(src)) return false;
    return /^data:/i.test(src) || (origin !== undefined && new URL(src).origin === origin);
  });
}

/** Returns a result without icons that clients must not load, in every list whose entries have icons. */
export function withoutUnsafeIcons<R extends object>(result: R): R {
  let changed: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(result)) {
    const safe = Array.isArray(member) ? safeAll(member) : key === 'serverInfo' ? safeOne(member) : member;
    if (safe !== member) changed = { ...changed, [key]: safe };
  }
  return changed === undefined ? result : { ...result, ...changed };
}

function safeAll(list: readonly unknown[]): readonly unknown[] {
  return list.some((one) => safeOne(one) !== one) ? list.map(safeOne) : list;
}

function safeOne(thing: unknown): unknown {
  if (!isObject(thing) || !Array.isArray(thing.icons)) return thing;
  const icons = thing.icons.filter((icon) => isObject(icon) && isSafeIcon(icon.src));
  return icons.length === thing.icons.length ? thing : { ...thing, icons };
}
