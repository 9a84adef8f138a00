import { Console } from 'node:console';
import type { Drawing } from './charting/drawing.ts';
import { svgOf } from './charting/svg.ts';
import { stackOf } from './shared/error.ts';

void serveDrawing().catch((error: unknown) => {
  process.stderr.write(`${stackOf(error)}\n`);
  process.exitCode = 1;
});

/**
 * Draws the chart that stdin describes and writes the SVG's length (4 bytes), the SVG, and the PNG if wanted to stdout.
 */
async function serveDrawing(): Promise<void> {
  // stdout carries the chart: libraries write to stderr
  globalThis.console = new Console(process.stderr);
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer); // no encoding is set
  const drawing = JSON.parse(Buffer.concat(pieces).toString()) as Drawing; // the server writes exactly this
  const svg = svgOf(drawing);
  const text = Buffer.from(svg);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const png = drawing.png ? await (await import('./charting/png.ts')).pngOf(svg) : new Uint8Array();
  process.stdout.write(Buffer.concat([length, text, png]));
}
