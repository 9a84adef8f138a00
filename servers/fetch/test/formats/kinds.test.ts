import { describe, expect, test } from 'vitest';
import { essenceOf, kindOf } from '../../src/formats/sniff-kind.ts';

function kind(source: string | Uint8Array, contentType?: string, url?: string): string {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const { kind: found, mediaType } = kindOf(bytes, { contentType, url });
  return `${found} ${mediaType}`;
}

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(30)]);

describe('signatures', () => {
  test('a signature counts more than any header', () => {
    expect(kind(png, 'text/html')).toBe('image image/png');
    expect(kind('%PDF-1.7\n%\xe2', 'text/plain')).toBe('pdf application/pdf');
    expect(kind(`junk before\n%PDF-1.4\n`, 'application/octet-stream')).toBe('pdf application/pdf');
    expect(kind(Buffer.from('1f8b0800', 'hex'), 'application/json')).toBe('binary application/gzip');
  });

  test('the header decides between package types', () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    expect(kind(zip, docx)).toBe(`binary ${docx}`);
    expect(kind(zip, 'application/octet-stream')).toBe('binary application/zip');
    expect(kind(zip, 'text/html')).toBe('binary application/zip');
  });

  test('bytes that no text has are binary, with any header', () => {
    const junk = Buffer.from([0x01, 0x02, 0x80, 0x00, 0x07, 0x1f]);
    expect(kind(junk, 'text/html; charset=utf-8')).toBe('binary application/octet-stream');
    expect(kind(junk, 'application/x-thing')).toBe('binary application/x-thing');
    expect(kind(Buffer.from([0x01, 0x02, 0x41]))).toBe('binary application/octet-stream');
  });

  test('zero bytes of UTF-16 are text, with and without a byte order mark', () => {
    const page = '<!doctype html><title>x</title><p>some words';
    expect(kind(Buffer.from(`\uFEFF${page}`, 'utf16le'))).toBe('html text/html');
    expect(kind(Buffer.from(page, 'utf16le'), 'text/html')).toBe('html text/html');
    expect(kind(Buffer.from('\uFEFF{"a": 1}', 'utf16le'))).toBe('json application/json');
  });

  test('a control character in declared text leaves it text', () => {
    expect(kind('a\bb', 'text/plain')).toBe('text text/plain');
    expect(kind('\x1b[1mbold\x1b[0m')).toBe('text text/plain');
  });
});

describe('markup', () => {
  const prolog = `<?xml version="1.0"?>\n<!-- ${'licence '.repeat(3000)} -->\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">\n`;
  test.each([
    [`${prolog}<html xmlns="http://www.w3.org/1999/xhtml"><head/></html>`, 'html application/xhtml+xml'],
    ['\uFEFF\n\n  <!DOCTYPE HTML><p>x', 'html text/html'],
    ['<!-- c --><html lang=en>', 'html text/html'],
    ['<div class="a>b">x</div>', 'html text/html'],
    ['<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><rss version="2.0">', 'feed application/rss+xml'],
    ['<rss version="0.91">', 'feed application/rss+xml'],
    ['<feed xmlns="http://www.w3.org/2005/Atom">', 'feed application/atom+xml'],
    ['<atom:feed xmlns:atom="http://www.w3.org/2005/Atom">', 'feed application/atom+xml'],
    [
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">',
      'feed application/rss+xml',
    ],
    ['<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">', 'xml application/rdf+xml'],
    ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "]>">]><a>1</a>', 'xml application/xml'],
    ['<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">', 'xml application/xml'],
    ['<svg width="1" height="1"/>', 'image image/svg+xml'],
    ['<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "a" "b"><svg/>', 'image image/svg+xml'],
  ])('without a header the root element decides: %#', (source, expected) => {
    expect(kind(source)).toBe(expected);
    expect(kind(source, 'application/octet-stream')).toBe(expected);
  });

  test('a header of XML or HTML leaves the decision to the root element', () => {
    expect(kind('<rss>', 'text/html')).toBe('feed application/rss+xml');
    expect(kind('<feed>', 'text/xml')).toBe('feed application/atom+xml');
    expect(kind('<rss>', 'text/plain')).toBe('feed application/rss+xml');
    expect(kind('<a/>', 'application/soap+xml')).toBe('xml application/soap+xml');
    expect(kind('<!doctype html><p>', 'application/xml')).toBe('html text/html');
    expect(kind('words only', 'text/html')).toBe('html text/html');
    expect(kind('<svg/>', 'text/html')).toBe('image image/svg+xml');
  });

  test('the kind says where bytes may declare their encoding', () => {
    const markup = (source: string, contentType?: string) =>
      kindOf(Buffer.from(source), { contentType }).markup;
    expect([markup('<html>'), markup('<rss>'), markup('{}'), markup('<a>', 'text/xml')]).toEqual([
      'html',
      'xml',
      'none',
      'xml',
    ]);
  });

  test('page source that is served as plain text stays text', () => {
    expect(kind('<!doctype html><p>x', 'text/plain')).toBe('text text/plain');
  });
});

describe('text', () => {
  test('JSON is seen under a wrong header, and an error page under that of JSON', () => {
    expect(kind('{"a": [1, 2]}', 'text/plain')).toBe('json application/json');
    expect(kind('\n[\n{"a": 1}]\n', 'text/html')).toBe('json application/json');
    expect(kind('{"a":1}\n{"a":2}\n', 'text/plain')).toBe('json application/x-ndjson');
    expect(kind('{"version": "https://jsonfeed.org/version/1.1", "items": []}', 'application/json')).toBe(
      'feed application/feed+json',
    );
    expect(kind('<html><h1>502</h1>', 'application/json')).toBe('html text/html');
    expect(kind('{"a":1}', 'application/vnd.api+json; charset=utf-8')).toBe('json application/vnd.api+json');
  });

  test('text that only begins like JSON is not JSON', () => {
    expect(kind('[link](https://a.b) and more', 'text/plain')).toBe('text text/plain');
    expect(kind('{ not json }', 'text/plain')).toBe('text text/plain');
    expect(kind('[section]\nkey=1\n', 'text/plain')).toBe('text text/plain');
  });

  test('the URL decides for plain text, and the form of a table without a header', () => {
    expect(kind('# Title', 'text/plain', 'https://raw.test/README.md?x=1')).toBe('markdown text/markdown');
    expect(kind('a,b\n1,2', 'text/plain', 'https://raw.test/data.CSV')).toBe('csv text/csv');
    expect(kind('a\tb', 'text/plain', 'https://raw.test/data.tsv')).toBe('csv text/tab-separated-values');
    expect(kind('a;b;c;d\n1;2;3;4\n5;6;7;8\n9;0;1;2\n')).toBe('csv text/csv');
    expect(kind('Yes, no.\nPerhaps, so, who knows.\nThen, well.\n')).toBe('text text/plain');
    expect(kind('a,b\n', 'text/csv')).toBe('csv text/csv');
    expect(kind('# a', 'text/markdown; variant=GFM')).toBe('markdown text/markdown');
  });

  test('other text keeps its declared type', () => {
    expect(kind('body { color: red }', 'text/css')).toBe('text text/css');
    expect(kind('let a = 1;', 'application/javascript')).toBe('text application/javascript');
    expect(kind('words', 'image/png')).toBe('text text/plain');
    expect(kind('words', 'nonsense')).toBe('text text/plain');
    expect(kind('', 'text/html')).toBe('html text/html');
    expect(kind('')).toBe('text text/plain');
  });
});

test('the type of a header has no parameters, and an invalid one is empty', () => {
  expect([' Text/HTML ; charset=x', 'a/b;c', 'text', '', undefined].map(essenceOf)).toEqual([
    'text/html',
    'a/b',
    '',
    '',
    '',
  ]);
});
