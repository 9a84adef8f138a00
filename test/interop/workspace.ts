import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A root with a folder inside it and a secret beside it. */
export class Workspace {
  readonly base: string;
  readonly root: string;
  readonly inner: string;
  readonly notes: string;
  readonly inside: string;
  readonly elsewhere: string;
  readonly secret: string;
  readonly picture: string;
  readonly sound: string;

  constructor() {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-interop-')));
    this.root = join(this.base, 'root');
    this.inner = join(this.root, 'inner');
    this.elsewhere = join(this.base, 'elsewhere');
    mkdirSync(this.inner, { recursive: true });
    mkdirSync(this.elsewhere);
    this.notes = join(this.root, 'notes.txt');
    this.inside = join(this.inner, 'inside.txt');
    this.secret = join(this.elsewhere, 'secret.txt');
    writeFileSync(this.notes, 'alpha\nbeta\n');
    writeFileSync(this.inside, 'inside\n');
    writeFileSync(this.secret, 'the secret\n');
    this.picture = join(this.inner, 'picture.png');
    this.sound = join(this.inner, 'sound.wav');
    writeFileSync(this.picture, Buffer.from('89504e470d0a1a0a', 'hex'));
    writeFileSync(this.sound, 'RIFF\x04\0\0\0WAVE');
  }

  /** Creates a large sparse file with text at its start. */
  holes(name: string, size: number): string {
    const path = join(this.root, name);
    writeFileSync(path, 'line\n'.repeat(20_000));
    truncateSync(path, size);
    return path;
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
