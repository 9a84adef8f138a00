import type { Client, RequestOptions } from '@rootbound/protocol/client';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { call, type Outcome, Served, type Setting } from './harness.ts';
import { Site } from './site.ts';

/** The structured half of a failure. */
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

/** The structured half of a result of `fetch`. */
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

  /** Returns another client, of a server of its own. */
  client({ extra, ...setting }: Setting = {}): Promise<Client> {
    return this.served.client({ extra: { 'allow-private': [this.site.host], ...extra }, ...setting });
  }

  /** Returns the result of a tool for a URL. */
  use<Facts = PageFacts>(
    tool: string,
    args: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Outcome<Facts>> {
    return call<Facts>(this.#client!, tool, args, options);
  }
}
