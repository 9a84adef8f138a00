import { WebError } from '../failure.ts';
import { evaluateBeside } from './isolated-world.ts';
import { type Arrival, unshown } from './navigation.ts';
import type { Renderer, RenderRequest } from './renderer.ts';

/** A page after its scripts have run. */
export interface RenderedHtml extends Arrival {
  /** HTML in UTF-8 */
  readonly body: Uint8Array;
  readonly wireBytes: number;
  readonly elapsedMs: number;
}

const MOST_CHARACTERS = 20 * 1024 * 1024;
const viewport = { width: 1280, height: 800 };
const isHtml = /^\s*(?:$|text\/html|application\/xhtml\+xml)/i;
const source = `(() => {
  const { doctype, documentElement } = document;
  const html = (doctype === null ? '' : '<!DOCTYPE html>') + (documentElement?.outerHTML ?? '');
  return html.length > ${MOST_CHARACTERS} ? html.length : html;
})()`;

/** Renders a page and returns its HTML after its scripts have run. */
export function renderHtml(
  renderer: Renderer,
  request: Omit<RenderRequest, 'pictures' | 'viewport'>,
): Promise<RenderedHtml> {
  return renderer.show({ ...request, pictures: false, viewport }, async (page) => {
    const { arrival, wireBytes, elapsedMs } = page;
    const type = arrival.headers['content-type'] ?? '';
    if (!isHtml.test(type)) throw new WebError(`the URL returns ${type.slice(0, 100)}, not HTML`, unshown);
    const html = await evaluateBeside(page, source);
    if (typeof html !== 'string')
      throw new WebError(`the page has grown to ${String(html)} characters`, {
        code: 'too-large',
        hint: 'fetch it without render',
      });
    return { ...arrival, body: Buffer.from(html), wireBytes, elapsedMs };
  });
}
