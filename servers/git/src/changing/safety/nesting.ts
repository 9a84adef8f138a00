import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';

/** Returns a test of paths: whether one is among these, or below one. */
export function within(paths: readonly string[]): (path: string) => boolean {
  const chosen = new Set(paths.map(byteStringOf));
  return (path) => nearest(chosen, path) !== undefined;
}

/** Returns the folders above paths, without the top. */
export function foldersAbove(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    let at = parentOf(byteStringOf(path));
    for (; at !== '' && !folders.has(at); at = parentOf(at)) folders.add(at);
  }
  return [...folders].map(nameOfByteString);
}

/** Returns the paths that are below no other. */
export function topmost(paths: readonly string[]): string[] {
  const chosen = new Set(paths.map(byteStringOf));
  return paths.filter((path) => {
    const folder = parentOf(byteStringOf(path));
    return folder === '' || nearest(chosen, nameOfByteString(folder)) === undefined;
  });
}

/** Returns the path, or the nearest folder above it, that is among byte strings of paths; the empty one is the top. */
export function nearest(chosen: ReadonlySet<string>, path: string): string | undefined {
  for (let at = byteStringOf(path); at !== ''; at = parentOf(at)) if (chosen.has(at)) return at;
  return chosen.has('') ? '' : undefined;
}

/** Returns the folder that a byte string of a path is in. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function byteStringOf(path: string): string {
  return bytesOfName(path).toString('latin1').replace(/\/$/, '');
}
