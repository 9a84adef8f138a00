import { basename } from 'node:path';
import { streamFile, toFileUri, type Written } from '@rootbound/kit/boundary';
import { mediaTypeOf } from '@rootbound/kit/media';
import { type CallContext, ToolError } from '@rootbound/protocol';
import { type Hop, WebError } from '../failure.ts';
import { parseUrl } from '../fetching/load-page.ts';
import { invalidArguments } from '../fetching/tool-result.ts';
import type { Visit } from '../web/visit.ts';
import type { Workspace } from '../workspace.ts';
import { Content, type Whole } from './content.ts';
import { incomplete, isFinal, mismatch, overlong, overQuota, refined } from './failures.ts';
import { downloadName } from './file-names.ts';
import { validatorOf } from './ranges.ts';
import { type Asking, type FileResponse, originOf, type ReceivedPart, requestFile } from './request-file.ts';
import { StallTimeout } from './stall-timeout.ts';
import { exists, pathIn, type Target, targetOf } from './target.ts';

export interface DownloadArguments {
  readonly url: string;
  readonly path?: string | undefined;
  readonly overwrite?: boolean | undefined;
  readonly expected_sha256?: string | undefined;
  readonly max_bytes?: number | undefined;
  readonly resume?: boolean | undefined;
  readonly timeout_ms?: number | undefined;
}

/** A file that was saved, and the response that it came from. */
export interface Downloaded {
  readonly url: string;
  readonly finalUrl: string;
  readonly redirects: readonly Hop[];
  readonly status: number;
  readonly path: string;
  readonly uri: string;
  readonly bytes: number;
  readonly sha256: string;
  /** by its first bytes */
  readonly mediaType: string;
  /** the Content-Type of the response */
  readonly contentType: string | undefined;
  readonly replaced: boolean;
  /** bytes that an earlier download had received */
  readonly resumedFrom: number;
  /** why those bytes could not be continued */
  readonly restarted: string | undefined;
  readonly elapsedMs: number;
}

export type DownloadContext = Pick<CallContext<Workspace>, 'scope' | 'signal' | 'progress'>;

/** Milliseconds that a download may take unless its call says otherwise. */
const USUAL_MS = 600_000;

/**
 * Saves the response of a URL as a file in the roots, atomically. If it fails, the received bytes are kept for a later
 * `resume`, provided that the response identifies the file; if it is cancelled, only if `resume` was set.
 */
export async function download(args: DownloadArguments, context: DownloadContext): Promise<Downloaded> {
  const { scope, engine, owner } = context.scope;
  const url = parseUrl(args.url);
  engine.guard.assertUrl(url);
  engine.urlPolicy.admit(owner, url, 'autonomous');
  const target = targetOf(scope, args.path);
  if (args.overwrite === true && target.kind === 'folder')
    throw invalidArguments(
      'overwrite needs a path with the name of the file',
      'give the file name in path: the server never chooses which file is replaced',
    );
  const transfer = new Transfer(args, context, url);
  try {
    return await engine.urlPolicy.follow(owner, transfer.save(target));
  } catch (error) {
    throw transfer.leave(error);
  }
}

/** A download in progress. */
class Transfer {
  readonly #args: DownloadArguments;
  readonly #context: DownloadContext;
  readonly #url: URL;
  readonly #most: number;
  readonly #stall: StallTimeout;
  readonly #content: Content;
  #arrival: FileResponse | undefined;
  #sha256 = '';

  constructor(args: DownloadArguments, context: DownloadContext, url: URL) {
    const { engine, owner, scope } = context.scope;
    this.#args = args;
    this.#context = context;
    this.#url = url;
    this.#most = Math.min(args.max_bytes ?? engine.maxDownload, engine.maxDownload);
    this.#stall = new StallTimeout(engine.deadlineMs);
    const begun =
      args.resume === true ? engine.drafts.take(owner, url, scope) : engine.drafts.drop(owner, url);
    this.#content = new Content(begun);
  }

  async save(target: Target): Promise<Downloaded> {
    const before = this.#content.before;
    // with a known path and no part to continue, the path is checked before the request
    const early = target.kind === 'folder' || before !== undefined ? await this.#arrive(before) : undefined;
    const path =
      early !== undefined && target.kind === 'folder'
        ? pathIn(target, downloadName(early.visit.url, early.visit.headers))
        : target.path;
    let isFirst = true;
    let failure: WebError | undefined;
    const written = await streamFile(
      this.#context.scope.scope,
      path,
      async (write) => {
        // called again if the file could not be moved into place and has to be written there
        const arriving = isFirst ? early : undefined;
        isFirst = false;
        try {
          await this.#receive(arriving ?? (await this.#arrive(undefined)), write);
        } catch (error) {
          // the boundary would report it as an error of the file system, by its code
          if (error instanceof WebError) failure = error;
          throw error;
        }
      },
      {
        signal: this.#context.signal,
        exclusive: this.#args.overwrite !== true,
        fsync: true,
        draft: this.#content.draft,
      },
    ).catch((error: unknown) => {
      if (failure !== undefined) throw failure;
      throw error instanceof ToolError && error.code === 'exists' ? exists(path, target) : error;
    });
    return this.#result(path, written);
  }

  /** Returns the error of the call, after the received bytes were kept or discarded. */
  leave(error: unknown): unknown {
    const { engine, owner } = this.#context.scope;
    this.#stall.rest();
    this.#arrival?.visit.discard();
    const cancelled = this.#context.signal.aborted && this.#args.resume !== true;
    const begun = cancelled || isFinal(error) ? undefined : this.#content.begun;
    if (begun === undefined || !engine.drafts.keep(owner, this.#url, begun)) {
      this.#content.draft.discard();
      return refined(error);
    }
    return refined(error, begun.draft.bytes);
  }

  /** Requests the file, or the rest of it after the part before. */
  async #arrive(before: ReceivedPart | undefined): Promise<FileResponse> {
    const { engine } = this.#context.scope;
    const request = {
      url: this.#url,
      identity: 'autonomous' as const,
      redirects: engine.redirects,
      limits: {
        deadlineMs: this.#args.timeout_ms ?? USUAL_MS,
        wireBytes: this.#most,
        bodyBytes: this.#most,
      },
      signal: AbortSignal.any([this.#context.signal, this.#stall.signal]),
    };
    const ask: Asking = (headers) => engine.web.visit({ ...request, headers });
    this.#stall.watch();
    const arrival = await requestFile(this.#context.scope, ask, before);
    this.#stall.rest();
    if (arrival.first === 0) this.#content.restart(wholeOf(arrival));
    this.#arrival = arrival;
    return arrival;
  }

  /** Writes the body and verifies its length and checksum. */
  async #receive(arrival: FileResponse, write: (piece: Buffer) => Promise<void>): Promise<void> {
    const { visit, total, end, isWhole } = arrival;
    const content = this.#content;
    if (total !== undefined && total > this.#most) throw overQuota(visit, this.#most);
    if (isWhole) visit.discard();
    else await this.#read(visit, total, write);
    if (end !== undefined && content.bytes > end) {
      // the excess bytes may be anywhere in the file
      content.restart();
      throw overlong(visit);
    }
    if (total !== undefined && content.bytes !== total) throw incomplete(visit, content.bytes, total);
    this.#sha256 = content.sha256;
    const expected = this.#args.expected_sha256?.toLowerCase();
    if (expected !== undefined && expected !== this.#sha256) throw mismatch(visit, this.#sha256);
  }

  async #read(
    visit: Visit,
    total: number | undefined,
    write: (piece: Buffer) => Promise<void>,
  ): Promise<void> {
    this.#stall.watch();
    for await (const bytes of visit.body) {
      this.#stall.rest();
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      if (this.#content.bytes + piece.length > this.#most) throw overQuota(visit, this.#most);
      await write(piece);
      this.#content.add(piece);
      this.#context.progress(this.#content.bytes, total, `saved ${this.#content.bytes} bytes`);
      this.#stall.watch();
    }
    this.#stall.rest();
  }

  #result(path: string, { path: real, bytes, created }: Written): Downloaded {
    const { visit, first, restarted } = this.#arrival!; // set: a file is written after its response has come
    return {
      url: this.#url.href,
      finalUrl: visit.url.href,
      redirects: visit.redirects,
      status: visit.status,
      path,
      uri: toFileUri(real),
      bytes,
      sha256: this.#sha256,
      mediaType: mediaTypeOf(this.#content.start, basename(path)),
      contentType: visit.headers['content-type'],
      replaced: !created,
      resumedFrom: first,
      restarted,
      elapsedMs: visit.elapsedMs(),
    };
  }
}

/** Returns the facts that identify the file of a response; undefined if a later response could not be compared. */
function wholeOf({ visit, total }: FileResponse): Whole | undefined {
  // a file that a proxy transformed has the validator of the original
  const validator = visit.status === 200 ? validatorOf(visit.headers) : undefined;
  return validator === undefined ? undefined : { validator, total, origin: originOf(visit) };
}
