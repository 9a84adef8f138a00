import type { CallContext, ReplyParts } from '@rootbound/protocol';
import { urlsOf } from '../consent/urls-in.ts';
import type { Picture } from '../rendering/screenshot.ts';
import { takePicture } from '../rendering/screenshot.ts';
import type { Workspace } from '../workspace.ts';
import { shortened, shortenedFacts } from './fit-output.ts';
import { parseUrl } from './load-page.ts';
import { enveloped } from './result-fields.ts';
import { statusFailure } from './status-failure.ts';
import { invalidArguments } from './tool-result.ts';

export interface ScreenshotArguments {
  readonly url: string;
  readonly full_page?: boolean | undefined;
  readonly selector?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly wait_for?: string | undefined;
  readonly timeout_ms?: number | undefined;
}

const WIDTH = 1280;
const HEIGHT = 800;

/** Takes a screenshot of a page and returns both halves of the result. */
export async function takeScreenshot(
  args: ScreenshotArguments,
  { scope, signal, progress }: CallContext<Workspace>,
): Promise<ReplyParts> {
  const { engine, owner, maxOutput } = scope;
  if (!engine.renders)
    throw invalidArguments('this server has no browser', 'the operator can name a Chromium with --browser');
  const url = parseUrl(args.url);
  engine.guard.assertUrl(url);
  engine.urlPolicy.admit(owner, url, 'autonomous');
  const taking = takePicture(await engine.renderer(), {
    owner,
    url,
    redirects: engine.redirects,
    deadlineMs: args.timeout_ms ?? engine.deadlineMs,
    waitFor: args.wait_for,
    fullPage: args.full_page === true,
    selector: args.selector,
    viewport: { width: args.width ?? WIDTH, height: args.height ?? HEIGHT },
    signal,
    progress: (bytes, total) => progress(bytes, total, `read ${bytes} bytes`),
  });
  const picture = await engine.urlPolicy.follow(owner, taking);
  engine.urlPolicy.see(owner, urlsOf(picture));
  const { status, headers, finalUrl, redirects, elapsedMs } = picture;
  if (status >= 400)
    throw statusFailure({
      status,
      headers,
      text: picture.title,
      way: { status, finalUrl, redirects, elapsedMs },
    });
  return screenshotResult(url, picture, maxOutput);
}

function screenshotResult(url: URL, picture: Picture, maxOutput: number): ReplyParts {
  const { finalUrl, redirects, title, mediaType, width, height, bytes, scale, truncated } = picture;
  const structured = shortenedFacts(
    {
      url: url.href,
      final_url: finalUrl,
      status: picture.status,
      ...(redirects.length > 0 && { redirects }),
      title,
      media_type: mediaType,
      width,
      height,
      bytes: bytes.length,
      scale,
      truncated,
      elapsed_ms: Math.round(picture.elapsedMs),
      untrusted: true,
    },
    maxOutput,
  );
  const text = [
    `${shortened(finalUrl, maxOutput / 8)}: ${width} x ${height} pixels`,
    ...(title === '' ? [] : [enveloped(shortened(title, maxOutput / 8))]),
    ...(scale < 1 ? [`Scaled to ${scale} to fit the size limit.`] : []),
    ...(truncated ? ['The page continues beyond the picture.'] : []),
  ].join('\n');
  return {
    structured,
    content: [
      { type: 'text', text },
      { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: mediaType },
    ],
  };
}
