import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, RequestOptions } from '@rootbound/protocol/client';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Failure, PageFacts } from '../ground.ts';
import { call, type Outcome, Served, type Setting } from '../harness.ts';
import { Site } from '../site.ts';
import { Listener } from './listener.ts';

/** The Chromium on the PATH, which these tests need; Debian's package has this name. */
export const browser = execFileSync('/bin/sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();

/** The paths that the site's robots.txt forbids to programs. */
export const closedPath = '/closed';

/** The structured half of a result of `screenshot`. */
export interface PictureFacts {
  url: string;
  final_url: string;
  status: number;
  redirects?: { url: string; status: number }[];
  title: string;
  media_type: string;
  width: number;
  height: number;
  bytes: number;
  scale: number;
  truncated: boolean;
  failure?: Failure;
}

/** The structured half of a result of `fetch` for a rendered page. */
export interface RenderedFacts extends PageFacts {
  rendered?: boolean;
}

/** A browser takes its time on a busy machine. */
const patient = { timeout_ms: 120_000 };

/** A site that may be rendered, another that may not, and one server whose browser stays warm for the file. */
export class Stage {
  readonly served = new Served('file');
  readonly site = new Site();
  /** no server may reach it */
  readonly forbidden = new Listener();
  readonly #folder = mkdtempSync(join(tmpdir(), 'rootbound-stage-'));
  readonly #secrets = join(this.#folder, 'secrets.json');
  #client: Client | undefined;

  constructor() {
    beforeAll(async () => {
      await Promise.all([this.site.start(), this.forbidden.start()]);
      this.site.paths.set('/robots.txt', (_, response) => {
        const rules = `User-agent: *\nDisallow: ${closedPath}`;
        response.writeHead(200, { 'content-type': 'text/plain' }).end(rules);
      });
      const fields = { [`http://${this.site.host}`]: { headers: { 'x-key': 'hidden' } } };
      writeFileSync(this.#secrets, JSON.stringify(fields), { mode: 0o600 });
      this.#client = await this.client();
    });
    afterAll(async () => {
      // pages that are still open hold connections to the sites
      await this.served.close();
      await Promise.all([this.site.close(), this.forbidden.close()]);
      rmSync(this.#folder, { recursive: true });
    });
    beforeEach(() => {
      this.site.asked.length = 0;
      this.forbidden.forget();
    });
  }

  /** Returns another client, of a server of its own. */
  client({ extra, ...setting }: Setting = {}): Promise<Client> {
    return this.served.client({
      extra: { 'allow-private': [this.site.host], browser, secrets: this.#secrets, ...extra },
      ...setting,
    });
  }

  /** Returns the rendered page. */
  render(
    url: string,
    args: Record<string, unknown> = {},
    options?: RequestOptions,
  ): Promise<Outcome<RenderedFacts>> {
    return call<RenderedFacts>(this.#client!, 'fetch', { url, render: true, ...patient, ...args }, options);
  }

  screenshot(
    url: string,
    args: Record<string, unknown> = {},
    options?: RequestOptions,
  ): Promise<Outcome<PictureFacts>> {
    return call<PictureFacts>(this.#client!, 'screenshot', { url, ...patient, ...args }, options);
  }

  get running(): Client {
    return this.#client!;
  }
}

/** Returns a page whose text is written by scripts only. */
export function scripted(script: string, body = ''): string {
  return `<!doctype html><html lang="en"><head><title>Scripted</title></head><body><main id="main">${body}</main>
    <script>const write = (text, id = '') => {
      const paragraph = document.createElement('p');
      paragraph.id = id; paragraph.textContent = text;
      document.getElementById('main').append(paragraph);
    };
    ${script}</script></body></html>`;
}
