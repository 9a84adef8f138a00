/** A directory, or where the server says so a file, as the operator named it. */
export interface RootSpec {
  path: string;
  readOnly: boolean;
}

/**
 * The root that an argument names: `/srv/data:ro` is read-only. On Windows `d:ro` is a place on drive D, and
 * everywhere a name that really ends in `:ro` is written with a slash behind it.
 */
export function parseRoot(text: string, platform: NodeJS.Platform = process.platform): RootSpec | undefined {
  const drive = platform === 'win32' && /^[A-Za-z]:ro$/.test(text);
  const readOnly = text.endsWith(':ro') && !drive;
  const path = readOnly ? text.slice(0, -':ro'.length) : text;
  return path === '' ? undefined : { path, readOnly };
}

/** The argument that `parseRoot` reads back as this root. */
export function formatRoot(root: RootSpec): string {
  if (root.readOnly) return `${root.path}:ro`;
  return root.path.endsWith(':ro') ? `${root.path}/` : root.path;
}
