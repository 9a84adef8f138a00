import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

interface Published {
  readonly manifest: Manifest;
  readonly tarball: Buffer;
}

/** A local npm registry with unpublished packages. */
export class Registry {
  readonly #published = new Map<string, Published>();
  readonly #elsewhere: string | undefined;
  readonly #server = createServer((request, response) => {
    const [name = '', file] = decodeURIComponent(request.url!).slice(1).split('/-/');
    const found = this.#published.get(name);
    if (found !== undefined && file !== undefined) response.end(found.tarball);
    else if (found !== undefined) response.end(JSON.stringify(this.#page(found)));
    else if (this.#elsewhere === undefined) response.writeHead(404).end('{}');
    else response.writeHead(307, { location: new URL(request.url!, this.#elsewhere).href }).end();
  });

  /** `elsewhere` is the registry for other packages; without one there are none. */
  constructor(elsewhere?: string) {
    this.#elsewhere = elsewhere;
  }

  /** Publishes packed packages, listens on loopback and returns the address. */
  async open(tarballs: readonly string[]): Promise<string> {
    for (const file of tarballs) {
      const text = execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' });
      const manifest = JSON.parse(text) as Manifest;
      this.#published.set(manifest.name, { manifest, tarball: readFileSync(file) });
    }
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.#address;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  #page({ manifest, tarball }: Published): object {
    const { name, version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `${this.#address}${name}/-/${version}.tgz`, integrity };
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }
}
