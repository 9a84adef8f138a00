import type * as t from '../protocol/types.ts';

/**
 * Returns roots without duplicates. Throws a TypeError for the first that is not a file URI, or whose path
 * has dot segments.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/client/roots#security-considerations
 */
export function checkedRoots(roots: readonly t.Root[]): t.Root[] {
  const byUri = new Map<string, t.Root>();
  for (const root of roots) {
    if (!isFolder(root.uri)) {
      throw new TypeError(
        `root ${JSON.stringify(root.uri)} must be a file:// URI without . and .. in its path`,
      );
    }
    if (!byUri.has(root.uri)) byUri.set(root.uri, root);
  }
  return [...byUri.values()];
}

function isFolder(uri: string): boolean {
  // URL resolves dot segments, so the text itself is checked
  if (!uri.startsWith('file://') || !URL.canParse(uri)) return false;
  try {
    const path = decodeURIComponent(uri.slice('file://'.length));
    return !path.includes('\0') && !path.split(/[/\\]/).some((part) => part === '.' || part === '..');
  } catch {
    // not percent-encoded UTF-8
    return false;
  }
}
