import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, RequestOptions } from '@rootbound/protocol/client';
import { afterAll, beforeAll } from 'vitest';
import { call, type Outcome, Served, type Setting } from '../harness.ts';
import { Site } from '../site.ts';

export interface Saved {
  path: string;
  uri: string;
  bytes: number;
  sha256: string;
  media_type: string;
  content_type?: string;
  replaced: boolean;
  resumed_from?: number;
  restarted?: string;
  final_url: string;
  failure?: { code: string; message: string; hint?: string; retryable: boolean; status?: number };
}

/** A site, and folders for downloads; both are removed after the file. */
export class Downloads {
  readonly served = new Served('file');
  site!: Site;
  top!: string;
  #count = 0;

  constructor() {
    beforeAll(async () => {
      this.top = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-fetch-test-')));
      this.site = await new Site().start();
    });
    afterAll(async () => {
      await this.site.close();
      rmSync(this.top, { recursive: true, force: true });
    });
  }

  /** Creates an empty folder. */
  folder(): string {
    const path = join(this.top, `root-${++this.#count}`);
    mkdirSync(path);
    return path;
  }

  /** Returns a client of a server with these roots. */
  client(roots: Setting['roots'] = [], setting: Setting = {}): Promise<Client> {
    const extra = { 'allow-private': [this.site.host], ...setting.extra };
    return this.served.client({ roots, ...setting, extra });
  }

  download(
    client: Client,
    url: string,
    args: Record<string, unknown> = {},
    options?: RequestOptions,
  ): Promise<Outcome<Saved>> {
    return call<Saved>(client, 'download', { url, ...args }, options);
  }
}

/** Returns all entries of a folder, hidden ones too. */
export function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Sends the beginning of a content, and cuts the connection once it has been read. */
export function cutAfter(response: ServerResponse, content: Buffer, bytes: number): void {
  response.write(content.subarray(0, bytes), () => setImmediate(() => response.destroy()));
}
