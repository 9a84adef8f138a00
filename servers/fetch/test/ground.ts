import type { Client, RequestOptions } from '@rootbound/protocol/client';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { call, type Outcome, Served, type Setting } from './harness.ts';
import { Site } from './site.ts';

/** Why a page was not had, as programs are told. */
export interface Failure {
  code: string;
  message: string;
  retryable: boolean;
  hint?: string;
  retry_after_ms?: number;
  status?: number;
  final_url?: string;
  redirects?: { url: string; status: number }[];
  elapsed_ms?: number;
}

/** How a page came, and what `fetch` gives of it. */
export interface PageFacts {
  url: string;
  final_url: string;
  status: number;
  redirects?: { url: string; status: number }[];
  title?: string;
  kind: string;
  media_type: string;
  charset?: string;
  content_hash: string;
  from: string;
  age_seconds: number;
  stale?: boolean;
  resource?: string;
  content: string;
  start_index: number;
  end_index: number;
  total_length: number;
  next_start_index?: number;
  page: number;
  pages: number;
  method?: string;
  coverage?: number;
  notes?: string[];
  removed?: { hidden: number; invisible: number; links: number };
  shape?: string;
  width?: number;
  height?: number;
  failure?: Failure;
}

/** A site, and a client of a server that may fetch from it, for the tests of one file. */
export class Ground {
  readonly served = new Served('file');
  readonly site = new Site();
  #client: Client | undefined;

  constructor() {
    beforeAll(async () => {
      await this.site.start();
      this.#client = await this.client();
    });
    afterAll(() => this.site.close());
    beforeEach(() => {
      this.site.asked.length = 0;
    });
  }

  /** Another client, of a server of its own. */
  client({ extra, ...setting }: Setting = {}): Promise<Client> {
    return this.served.client({ extra: { 'allow-private': [this.site.host], ...extra }, ...setting });
  }

  /** What a tool gives of an address. */
  use<Facts = PageFacts>(
    tool: string,
    args: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Outcome<Facts>> {
    return call<Facts>(this.#client!, tool, args, options);
  }
}
