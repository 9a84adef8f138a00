import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Lists everything below a folder, one line per entry with type and content, without following links. */
export function snapshot(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below))
    .sort()
    .flatMap((own) => {
      const name = join(below, own);
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) return [`${name} -> ${readlinkSync(path)}`];
      if (stat.isDirectory()) return [`${name}/`, ...snapshot(folder, name)];
      return [`${name}: ${stat.isFile() ? words(readFileSync(path)) : 'neither file nor folder'}`];
    });
}

/** Returns the content of a file, or a digest of a long one. */
export function words(content: Buffer | string): string {
  const bytes = Buffer.from(content);
  if (bytes.length <= 100) return bytes.toString();
  return `${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`;
}
