import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

type PdfLibrary = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

let library: Promise<PdfLibrary> | undefined;

/** Loads pdf.js with its worker code in this thread, and without the canvas that it looks for. */
export function loadPdf(): Promise<PdfLibrary> {
  library ??= withoutCanvas(async () => {
    // pdf.js finds its worker in a global that this module sets, and loads nothing from the network
    await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  });
  return library;
}

/** Browser globals that the library requires at load time; only drawing and editing use them. */
const browser = ['DOMMatrix', 'ImageData', 'Path2D', 'navigator'] as const;

/** Loads without native modules, and without warnings about them. */
async function withoutCanvas<T>(load: () => Promise<T>): Promise<T> {
  const { getBuiltinModule } = process;
  const { warn } = console;
  const missing = browser.filter((name) => !(name in globalThis));
  for (const name of missing)
    Object.assign(globalThis, { [name]: Object.assign(class {}, { language: 'en' }) });
  const hidden = {
    createRequire: () => () => {
      throw new Error('no canvas');
    },
  };
  Object.assign(process, {
    getBuiltinModule: (id: string) => (id === 'module' ? hidden : getBuiltinModule.call(process, id)),
  });
  console.warn = () => {};
  try {
    return await load();
  } finally {
    console.warn = warn;
    Object.assign(process, { getBuiltinModule });
    for (const name of missing) Reflect.deleteProperty(globalThis, name);
  }
}

/**
 * Returns the folder of the character maps for East Asian files that embed none: beside the built module, else in the
 * library's package. Without it, the text of such files is missing.
 */
export function characterMaps(): string | undefined {
  const beside = fileURLToPath(new URL('./cmaps/', import.meta.url));
  if (existsSync(beside)) return beside;
  try {
    return createRequire(import.meta.url)
      .resolve('pdfjs-dist/cmaps/Adobe-Japan1-UCS2.bcmap')
      .replace(/(?<=[/\\])[^/\\]*$/, '');
  } catch {
    // the package is not installed, because it was bundled
    return undefined;
  }
}
