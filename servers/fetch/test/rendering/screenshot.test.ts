import { describe, expect, test } from 'vitest';
import { imageSize } from '../../src/formats/image.ts';
import type { Outcome } from '../harness.ts';
import { type PictureFacts, Stage, scripted } from './stage.ts';

const stage = new Stage();
const { site } = stage;

/** Returns a page of this many pixels, in one colour, with a box at a position. */
function tall(path: string, height: number): string {
  const box =
    '<div id="box" style="position:absolute;left:30px;top:1500px;width:120px;height:60px;background:red"></div>';
  return site.page(
    path,
    `<!doctype html><title>Tall</title><style>body{margin:0;background:#eee}</style><div style="height:${height}px"></div>${box}`,
  );
}

/** Returns the picture of a result. */
function pictureOf({ result }: Outcome<PictureFacts>): { bytes: Buffer; type: string } {
  const image = result.content.find((block) => block.type === 'image');
  if (image?.type !== 'image') throw new Error('there is no picture');
  return { bytes: Buffer.from(image.data, 'base64'), type: image.mimeType };
}

describe('a screenshot', () => {
  test('shows the viewport in the requested size, with the facts of the page', async () => {
    const outcome = await stage.screenshot(tall('/tall', 3000), { width: 640, height: 480 });
    const { facts, failed, text } = outcome;
    expect([failed, text]).toEqual([false, expect.stringContaining('640 x 480')]);
    const url = site.url('/tall');
    expect(facts).toMatchObject({ url, final_url: url, status: 200, title: 'Tall', media_type: 'image/png' });
    expect(facts).toMatchObject({ width: 640, height: 480, scale: 1, truncated: false });
    const { bytes, type } = pictureOf(outcome);
    expect([type, facts.bytes]).toEqual(['image/png', bytes.length]);
    expect(imageSize(bytes, type)).toEqual({ width: 640, height: 480 });
  });

  test('shows the whole page on request, and is cut if that is too tall', async () => {
    const whole = await stage.screenshot(tall('/whole', 3000), { width: 400, full_page: true });
    expect(whole.facts).toMatchObject({ width: 400, height: 3000, truncated: false });
    expect(imageSize(pictureOf(whole).bytes, 'image/png')).toEqual({ width: 400, height: 3000 });
    const cut = await stage.screenshot(tall('/endless', 1_000_000), { width: 400, full_page: true });
    expect(cut.facts).toMatchObject({ width: 400, height: 8000, truncated: true });
    expect(cut.text).toContain('continues beyond the picture');
  });

  test('shows the element of a selector, at any position', async () => {
    const url = tall('/box', 3000);
    const outcome = await stage.screenshot(url, { selector: '#box' });
    expect(outcome.facts).toMatchObject({ width: 120, height: 60, truncated: false });
    const codes = [];
    for (const selector of ['#missing', 'p['])
      codes.push((await stage.screenshot(url, { selector })).facts.failure?.code);
    expect(codes).toEqual(['not-found', 'invalid-request']);
  });

  test('that is large is a JPEG, and scaled down if necessary, and says so', async () => {
    const noise = `
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [2400, 3600];
      const context = canvas.getContext('2d');
      const image = context.createImageData(2400, 3600);
      for (let at = 0; at < image.data.length; at += 65536) crypto.getRandomValues(image.data.subarray(at, at + 65536));
      for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
      context.putImageData(image, 0, 0);
      document.body.replaceChildren(canvas);`;
    const outcome = await stage.screenshot(site.page('/noise', scripted(noise)), {
      width: 2400,
      height: 3600,
    });
    const { facts, text } = outcome;
    expect([facts.media_type, facts.scale < 1]).toEqual(['image/jpeg', true]);
    expect(facts.bytes).toBeLessThanOrEqual(1_500_000);
    expect([facts.width, facts.height]).toEqual([2400 * facts.scale, 3600 * facts.scale]);
    expect(text).toContain('Scaled to');
    const { bytes, type } = pictureOf(outcome);
    expect(imageSize(bytes, type)).toEqual({ width: facts.width, height: facts.height });
  });

  test('has images and content of scripts', async () => {
    const red =
      '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="red"/></svg>';
    site.page('/red.svg', red, 'image/svg+xml');
    const empty = await stage.screenshot(site.page('/empty', '<!doctype html><p>'), {
      width: 100,
      height: 100,
    });
    const drawn = await stage.screenshot(site.page('/drawn', '<!doctype html><img src="/red.svg">'), {
      width: 100,
      height: 100,
    });
    expect(site.asked).toContain('/red.svg');
    expect(pictureOf(drawn).bytes.equals(pictureOf(empty).bytes)).toBe(false);
  });

  test('of a page that cannot be fetched is the same failure as that of fetch', async () => {
    const codes = [];
    for (const url of [site.url('/missing'), `http://127.0.0.1:${stage.forbidden.port}/`, 'kettles'])
      codes.push((await stage.screenshot(url)).facts.failure?.code);
    expect(codes).toEqual(['http-status', 'address-refused', 'invalid-url']);
  });
});
