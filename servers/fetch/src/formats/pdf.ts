import type { PDFDocumentProxy } from 'pdfjs-dist';
import { WebError } from '../failure.ts';
import { removeInvisible } from '../markdown/invisible.ts';
import { type Metadata, nothingRemoved, type Reading } from '../reading/reading.ts';
import type { BytesInput } from './input.ts';
import { characterMaps, loadPdf } from './pdf-library.ts';

export interface PdfBounds {
  readonly pages: number;
  readonly characters: number;
  /** milliseconds after which no further page is begun */
  readonly timeMs: number;
}

const defaultBounds: PdfBounds = { pages: 2000, characters: 5_000_000, timeMs: 20_000 };

/** Returns the text of a PDF with the position of each page. Throws a WebError if it is encrypted or broken. */
export async function readPdf({ bytes }: BytesInput, bounds: Partial<PdfBounds> = {}): Promise<Reading> {
  const document = await openPdf(bytes);
  try {
    return await readDocument(document, { ...defaultBounds, ...bounds });
  } catch (error) {
    throw unreadable(error);
  } finally {
    await document.loadingTask.destroy();
  }
}

async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument, VerbosityLevel } = await loadPdf();
  const cMapUrl = characterMaps();
  const task = getDocument({
    ...(cMapUrl === undefined ? {} : { cMapUrl, cMapPacked: true }),
    // the library detaches the buffer that it gets
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    stopAtErrors: false,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    throw unreadable(error);
  }
}

function unreadable(cause: unknown): WebError {
  const name = cause instanceof Error ? cause.name : '';
  return name === 'PasswordException'
    ? new WebError('the PDF is protected by a password', {
        code: 'unreadable',
        hint: 'ask for a copy without a password, or save it with download',
        cause,
      })
    : new WebError('the PDF is broken and cannot be read', {
        code: 'unreadable',
        hint: 'save it with download to inspect its bytes',
        cause,
      });
}

async function readDocument(document: PDFDocumentProxy, bounds: PdfBounds): Promise<Reading> {
  const metadata = await readMetadata(document);
  const end = performance.now() + bounds.timeMs;
  const last = Math.min(document.numPages, bounds.pages);
  const pages: number[] = [];
  let text = '';
  let invisible = 0;
  let failed = 0;
  for (let number = 1; number <= last; number++) {
    // at least one page, even after the time limit
    if (number > 1 && (performance.now() > end || text.length >= bounds.characters)) break;
    const page = await readPage(document, number);
    const visible = removeInvisible(page ?? '');
    invisible += visible.removed;
    if (page === undefined) failed += 1;
    if (text !== '' && visible.text !== '') text += '\n\n';
    pages.push(text.length);
    text += visible.text;
  }
  const room = bounds.characters - text.length;
  if (room < 0) text = text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
  return {
    kind: 'pdf',
    mediaType: 'application/pdf',
    text,
    headings: [],
    links: [],
    metadata,
    removed: { ...nothingRemoved, invisible },
    extraction: {
      method: 'pdf',
      coverage: document.numPages === 0 ? 1 : (pages.length - failed) / document.numPages,
      notes: notesOf(document.numPages, pages.length, failed, text, room < 0),
    },
    pages,
  };
}

function notesOf(all: number, read: number, failed: number, text: string, cut: boolean): string[] {
  return [
    ...(read < all ? [`only the first ${read} of ${all} pages were read`] : []),
    ...(cut ? ['the text was cut at its limit'] : []),
    ...(failed > 0 ? [`${failed} pages could not be read`] : []),
    ...(text === '' && read > failed ? ['the pages have no text: they may be scanned images'] : []),
  ];
}

/** Returns the text of a page in the order of the file, with a blank line at vertical gaps. */
async function readPage(document: PDFDocumentProxy, number: number): Promise<string | undefined> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent({ includeMarkedContent: false });
    let text = '';
    let lastY: number | undefined;
    let lastHeight = 0;
    for (const item of items) {
      if (!('str' in item)) continue;
      const y = Number(item.transform[5]);
      if (item.str.trim() !== '') {
        const gap = lastY === undefined ? 0 : Math.abs(lastY - y);
        if (text.endsWith('\n') && gap > 1.8 * Math.max(lastHeight, item.height, 1)) text += '\n';
        lastY = y;
        lastHeight = item.height;
      }
      text += item.str;
      if (item.hasEOL) text += '\n';
    }
    page.cleanup();
    return text
      .replace(/(?<![ \t])[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

async function readMetadata(document: PDFDocumentProxy): Promise<Metadata> {
  // a file without readable metadata is read all the same
  const documentInfo = await document.getMetadata().catch(() => undefined);
  const info: Record<string, unknown> = Object.fromEntries(Object.entries(documentInfo?.info ?? {}));
  const word = (name: string) => {
    const value = info[name];
    const text = typeof value === 'string' ? removeInvisible(value).text.trim() : '';
    return text === '' ? undefined : text.slice(0, 1000);
  };
  const metadata = {
    title: word('Title'),
    author: word('Author'),
    description: word('Subject'),
    language: word('Language'),
    published: dateOf(word('CreationDate')),
    modified: dateOf(word('ModDate')),
  };
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}

/** Returns the ISO form of a PDF date, such as `D:20260102030405+01'00'`. */
function dateOf(source: string | undefined): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(
    source ?? '',
  );
  if (found === null) return undefined;
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', utc, zone, rest = '00'] =
    found;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const offset = utc !== undefined || zone === undefined ? 'Z' : `${zone}:${rest}`;
  return `${date}T${hour}:${minute}:${second}${offset}`;
}
