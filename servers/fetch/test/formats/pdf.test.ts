import { expect, test, vi } from 'vitest';
import { readPdf } from '../../src/formats/pdf.ts';
import { writePdf } from './pdf-file.ts';

const read = (bytes: Uint8Array, bounds = {}) => readPdf({ bytes, mediaType: 'application/pdf' }, bounds);

test('the library loads and works without output, requests and browser globals', async () => {
  const browser = ['DOMMatrix', 'Path2D', 'ImageData', 'navigator'];
  const before = browser.filter((name) => name in globalThis);
  const spies = [
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('asked the network')),
    ...(['log', 'warn', 'error', 'info'] as const).map((name) => vi.spyOn(console, name).mockReturnValue()),
  ];
  try {
    expect((await read(writePdf({ pages: [['Text \xe9']] }))).text).toBe('Text é');
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    expect(browser.filter((name) => name in globalThis)).toEqual(before);
  } finally {
    vi.restoreAllMocks();
  }
});

test('the text of all pages is read with their positions and the metadata', async () => {
  const bytes = writePdf({
    pages: [
      ['First page', 'second line', '', '', 'a new paragraph (in brackets)'],
      ['Page two: caf\xe9 \x80'],
      ['Three'],
    ],
    info: {
      Title: '(A \\(short\\) title)',
      Author: '<FEFF004A00F6>',
      Subject: '(About it)',
      CreationDate: "(D:20260102030405+01'30')",
      ModDate: '(D:2026)',
    },
  });
  const before = Buffer.from(bytes);
  const { text, pages, ...rest } = await read(bytes);
  expect(text).toBe('First page\nsecond line\n\na new paragraph (in brackets)\n\nPage two: café €\n\nThree');
  expect(pages!.map((at, index) => text.slice(at, pages![index + 1]).trim())).toEqual([
    'First page\nsecond line\n\na new paragraph (in brackets)',
    'Page two: café €',
    'Three',
  ]);
  expect(rest).toMatchObject({
    kind: 'pdf',
    mediaType: 'application/pdf',
    metadata: {
      title: 'A (short) title',
      author: 'Jö',
      description: 'About it',
      published: '2026-01-02T03:04:05+01:30',
      modified: '2026-01-01',
    },
    extraction: { method: 'pdf', coverage: 1, notes: [] },
  });
  expect(Buffer.compare(before, bytes)).toBe(0);
});

test('an encrypted file is distinguished from a broken one', async () => {
  const locked = writePdf({
    pages: [['secret']],
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<00><00>]`,
  });
  await expect(read(locked)).rejects.toMatchObject({
    code: 'unreadable',
    message: 'the PDF is protected by a password',
    retryable: false,
  });
  for (const broken of ['%PDF-1.4\nnothing of the kind', '', 'words'])
    await expect(read(Buffer.from(broken))).rejects.toMatchObject({
      code: 'unreadable',
      message: 'the PDF is broken and cannot be read',
    });
});

test('a file with a wrong table is read, and a truncated one is reported as broken', async () => {
  const whole = writePdf({ pages: [['First page'], ['Second page']] });
  const lost = Buffer.from(whole.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1');
  expect((await read(lost)).text).toBe('First page\n\nSecond page');
  for (let length = 0; length < whole.length; length += 97) {
    const outcome = await read(whole.subarray(0, length)).then(
      ({ kind }) => kind,
      (error: { code?: string }) => error.code,
    );
    expect(['pdf', 'unreadable'], `cut at ${length}`).toContain(outcome);
  }
});

test('pages and characters are limited, and the rest is reported', async () => {
  const bytes = writePdf({ pages: Array.from({ length: 5 }, (_, index) => [`Page number ${index + 1}`]) });
  expect(await read(bytes, { pages: 2 })).toMatchObject({
    text: 'Page number 1\n\nPage number 2',
    pages: [0, 15],
    extraction: { coverage: 0.4, notes: ['only the first 2 of 5 pages were read'] },
  });
  expect(await read(bytes, { characters: 20 })).toMatchObject({
    text: 'Page number 1\n\nPage ',
    extraction: { notes: ['only the first 2 of 5 pages were read', 'the text was cut at its limit'] },
  });
  expect(await read(bytes, { timeMs: 0 })).toMatchObject({
    text: 'Page number 1',
    extraction: { notes: ['only the first 1 of 5 pages were read'] },
  });
});

test('a file without text may be scanned images, and says so', async () => {
  expect(await read(writePdf({ pages: [[]] }))).toMatchObject({
    text: '',
    pages: [0],
    extraction: { coverage: 1, notes: ['the pages have no text: they may be scanned images'] },
  });
});

test('text in a Japanese font that is not embedded is read by its character map', async () => {
  const font =
    '<< /Type /Font /Subtype /Type0 /BaseFont /KozMinPro /Encoding /UniJIS-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /KozMinPro /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /KozMinPro /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 /CapHeight 700 >> >>] >>';
  expect((await read(writePdf({ pages: [['\x65\xe5\x67\x2c']], font }))).text).toBe('日本');
});
