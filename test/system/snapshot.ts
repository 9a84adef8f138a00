import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** All that is below a folder, a line each: names, what they are and hold; no link is followed. */
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

/** What a file holds, or what stands for it when that is long. */
export function words(content: Buffer | string): string {
  const bytes = Buffer.from(content);
  if (bytes.length <= 100) return bytes.toString();
  return `${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`;
}
