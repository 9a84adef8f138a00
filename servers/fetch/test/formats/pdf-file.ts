export interface PdfParts {
  /** lines of each page; an empty one is vertical space */
  readonly pages: readonly (readonly string[])[];
  /** entries of the information dictionary, in PDF syntax */
  readonly info?: Readonly<Record<string, string>>;
  /** the font in PDF syntax, if it is not Helvetica */
  readonly font?: string;
  /** more entries of the trailer */
  readonly trailer?: string;
}

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/** Returns a PDF with pages of text. */
export function writePdf({ pages, info = {}, font = helvetica, trailer = '' }: PdfParts): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const first = 5;
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add(font);
  add(
    `<< ${Object.entries(info)
      .map(([key, value]) => `/${key} ${value}`)
      .join(' ')} >>`,
  );
  for (const [index, lines] of pages.entries()) {
    const pageTexts = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`).join('\n');
    const stream = `BT /F1 12 Tf 72 720 Td\n${pageTexts}\nET`;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + index * 2 + 1} 0 R >>`,
    );
    add(`<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`);
  }
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((body, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const table = file.length;
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
