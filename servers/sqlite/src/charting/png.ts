import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { fontFamily } from './svg.ts';

// the types of WebAssembly come with those of the DOM
declare const WebAssembly: { compile(code: Uint8Array): Promise<never> };

/** Renders an SVG to PNG in its own size. */
export async function pngOf(svg: string): Promise<Uint8Array> {
  // the build puts both files beside the entries
  const beside = (name: string): Buffer => readFileSync(join(import.meta.dirname, name));
  await initWasm(await WebAssembly.compile(new Uint8Array(beside('resvg.wasm'))));
  const picture = new Resvg(svg, {
    font: {
      fontBuffers: [new Uint8Array(beside('chart-font.ttf'))],
      loadSystemFonts: false,
      defaultFontFamily: fontFamily,
      sansSerifFamily: fontFamily,
    },
  });
  return picture.render().asPng();
}
