import { WebError } from '../failure.ts';
import { evaluateBeside } from './isolated-world.ts';
import type { Arrival } from './navigation.ts';
import type { BrowserPage, Renderer, RenderRequest } from './renderer.ts';

export interface PictureRequest extends Omit<RenderRequest, 'pictures'> {
  /** the whole page, instead of the viewport */
  readonly fullPage: boolean;
  /** a CSS selector of the one element to show */
  readonly selector?: string | undefined;
}

export interface Picture extends Arrival {
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
  /** size of the picture in pixels */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** whether the page or element is larger than the picture */
  readonly truncated: boolean;
  /** scale of the picture relative to the page, at most 1 */
  readonly scale: number;
  readonly elapsedMs: number;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Bytes of the picture; base64 adds a third. */
const MOST_BYTES = 1_500_000;
const LONGEST_SIDE = 8000;
const MOST_PIXELS = 16_000_000;
/** Encodings that are tried until the picture is small enough. */
const tries = [
  { format: 'png', scale: 1 },
  { format: 'jpeg', quality: 80, scale: 1 },
  { format: 'jpeg', quality: 50, scale: 1 },
  { format: 'jpeg', quality: 60, scale: 0.5 },
  { format: 'jpeg', quality: 40, scale: 0.25 },
] as const;

/** Takes a picture of a page, within limits of bytes and pixels. */
export function takePicture(renderer: Renderer, request: PictureRequest): Promise<Picture> {
  return renderer.show({ ...request, pictures: true }, async (page) => {
    const wanted = await areaOf(page, request);
    const area = within(wanted);
    const title = await evaluateBeside(page, 'document.title.slice(0, 1000)');
    const { elapsedMs, arrival } = page;
    return {
      ...(await capture(page, area)),
      ...arrival,
      title: typeof title === 'string' ? title : '',
      truncated: area.width < wanted.width || area.height < wanted.height,
      elapsedMs,
    };
  });
}

async function areaOf(page: BrowserPage, { selector, fullPage, viewport }: PictureRequest): Promise<Area> {
  if (selector !== undefined) return await elementArea(page, selector);
  if (!fullPage)
    return toArea(await evaluateBeside(page, '[scrollX, scrollY, innerWidth, innerHeight]'), viewport);
  const { cssContentSize } = await page.session.send('Page.getLayoutMetrics');
  return { x: 0, y: 0, width: Math.max(1, cssContentSize.width), height: Math.max(1, cssContentSize.height) };
}

async function elementArea(page: BrowserPage, selector: string): Promise<Area> {
  const found = await evaluateBeside(
    page,
    `(() => {
      let element;
      try { element = document.querySelector(${JSON.stringify(selector)}); } catch { return 'none'; }
      if (element === null) return undefined;
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + scrollX, top + scrollY, width, height];
    })()`,
  );
  const name = JSON.stringify(selector.slice(0, 200));
  if (found === 'none')
    throw new WebError(`${name} is not a valid CSS selector`, { code: 'invalid-request' });
  const hint = 'leave out selector to see the page, or wait for the element with wait_for';
  if (found === undefined)
    throw new WebError(`nothing on the page matches ${name}`, { code: 'not-found', hint });
  const area = toArea(found, undefined);
  if (area.width < 1 || area.height < 1)
    throw new WebError(`the element that matches ${name} is not visible`, { code: 'not-found', hint });
  return area;
}

/** Returns numbers from the page as an area, or that of the viewport. */
function toArea(value: unknown, window: { width: number; height: number } | undefined): Area {
  const numbers = Array.isArray(value) ? value.map(Number) : [];
  const [x = 0, y = 0, width = 0, height = 0] = numbers.every(Number.isFinite) ? numbers : [];
  return { x: Math.max(0, x), y: Math.max(0, y), width, height, ...window };
}

function within({ x, y, ...wanted }: Area): Area {
  const width = Math.ceil(Math.min(wanted.width, LONGEST_SIDE));
  const height = Math.ceil(Math.min(wanted.height, LONGEST_SIDE, MOST_PIXELS / width));
  return { x, y, width, height };
}

async function capture({ session }: BrowserPage, area: Area) {
  for (const { scale, ...encoding } of tries) {
    const { data } = await session.send('Page.captureScreenshot', {
      ...encoding,
      clip: { ...area, scale },
      captureBeyondViewport: true,
      optimizeForSpeed: true,
    });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > MOST_BYTES) continue;
    return {
      bytes,
      scale,
      mediaType: `image/${encoding.format}` as const,
      width: Math.round(area.width * scale),
      height: Math.round(area.height * scale),
    };
  }
  throw new WebError(`the picture is larger than ${MOST_BYTES} bytes`, {
    code: 'too-large',
    hint: 'give a smaller width and height, or the selector of one element',
  });
}
