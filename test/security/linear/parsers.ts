import { decodeName } from '../../../packages/kit/src/boundary/names/names.ts';
import { fromFileUri } from '../../../packages/kit/src/boundary/names/uris.ts';
import { parseChallenges } from '../../../packages/protocol/src/auth/client/challenge.ts';
import { LineReader } from '../../../packages/protocol/src/jsonrpc/lines.ts';
import { SseReader } from '../../../packages/protocol/src/jsonrpc/sse.ts';
import { Budget } from '../../../packages/protocol/src/protocol/json-schema/budget.ts';
import { compilePattern } from '../../../packages/protocol/src/protocol/json-schema/pattern.ts';
import { checkMetaNames } from '../../../packages/protocol/src/protocol/meta.ts';
import { matchUri } from '../../../packages/protocol/src/server/uri-template.ts';
import { parseCacheControl } from '../../../servers/fetch/src/cache/cache-control.ts';
import { parseHttpDate } from '../../../servers/fetch/src/cache/http-date.ts';
import { htmlLanguage, metaEncoding, xmlEncoding } from '../../../servers/fetch/src/charset/declared.ts';
import { urlsIn } from '../../../servers/fetch/src/consent/urls-in.ts';
import { dispositionName } from '../../../servers/fetch/src/downloading/content-disposition.ts';
import { safeName } from '../../../servers/fetch/src/downloading/file-names.ts';
import { readHtml } from '../../../servers/fetch/src/extracting/extract.ts';
import { titleOf } from '../../../servers/fetch/src/extracting/title.ts';
import { readCsv } from '../../../servers/fetch/src/formats/csv.ts';
import { readFeed } from '../../../servers/fetch/src/formats/feed.ts';
import { readSvg } from '../../../servers/fetch/src/formats/image.ts';
import { readJson } from '../../../servers/fetch/src/formats/json.ts';
import { readMarkdown } from '../../../servers/fetch/src/formats/markdown.ts';
import { readPlain } from '../../../servers/fetch/src/formats/plain-text.ts';
import { readSitemap } from '../../../servers/fetch/src/formats/sitemap.ts';
import { kindOf } from '../../../servers/fetch/src/formats/sniff-kind.ts';
import { readXml } from '../../../servers/fetch/src/formats/xml.ts';
import { readDeclarations } from '../../../servers/fetch/src/markdown/css-declarations.ts';
import { readStyles } from '../../../servers/fetch/src/markdown/style-sheets.ts';
import { pageOf } from '../../../servers/fetch/src/pages/paging.ts';
import { parseRobots } from '../../../servers/fetch/src/robots/robots.ts';
import { compileGlob } from '../../../servers/filesystem/src/search/glob.ts';
import { parseIgnoreFile } from '../../../servers/filesystem/src/search/ignore-pattern.ts';
import { parseBlame } from '../../../servers/git/src/porcelain/blame.ts';
import { parseChanges } from '../../../servers/git/src/porcelain/changes.ts';
import { parseConfigList } from '../../../servers/git/src/porcelain/config-list.ts';
import { parseMarkers } from '../../../servers/git/src/porcelain/conflict-markers.ts';
import { FetchReport } from '../../../servers/git/src/porcelain/fetch-report.ts';
import { parsePatch } from '../../../servers/git/src/porcelain/hunks.ts';
import { parseLog } from '../../../servers/git/src/porcelain/log.ts';
import { LogCounter } from '../../../servers/git/src/porcelain/log-count.ts';
import { unquote } from '../../../servers/git/src/porcelain/names.ts';
import { urlOf } from '../../../servers/git/src/porcelain/settings.ts';
import { parseStatus } from '../../../servers/git/src/porcelain/status.ts';
import { parseTodo } from '../../../servers/git/src/porcelain/todo.ts';
import { parseConfig } from '../../../servers/git/src/repository/config-text.ts';
import { readHeaders, readIdent } from '../../../servers/git/src/repository/headers.ts';
import { parseProgress } from '../../../servers/git/src/run/progress.ts';
import { redact } from '../../../servers/git/src/run/redact.ts';
import { parseExact } from '../../../servers/sqlite/src/lane/formats/json-exact.ts';
import { splitStatements } from '../../../servers/sqlite/src/shared/sql/statement.ts';

const url = 'https://a.example/page';
const marks = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  'a',
  '0',
  '"',
  "'",
  '\\',
  '<',
  '>',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  '-',
];
const markup = [
  '<a:',
  '<a ',
  '</a>',
  '<p>',
  '<b><i>',
  '<!--',
  '-->',
  '<![CDATA[',
  '&amp',
  '&#',
  '<a b="',
  "<a b='",
];
const web = ['https://', 'https://a.example/', '@', ':', 'http://a@', '://'];

/** A parser, and the parts of its texts, which are repeated alone and after one another. */
export interface Fed {
  readonly alphabet: readonly string[];
  readonly parse: (text: string) => unknown;
}

const input = (mediaType: string) => (text: string) => ({
  text,
  charset: { name: 'utf-8', from: 'utf-8', replaced: 0 } as const,
  mediaType,
  url,
});
const bytes = (read: (bytes: Buffer) => unknown) => (text: string) => read(Buffer.from(text, 'latin1'));

/** Splits a text into chunks like those of a pipe. */
function* pieces(text: string): Generator<Buffer> {
  const all = Buffer.from(text, 'latin1');
  for (let at = 0; at < all.length; at += 4096) yield all.subarray(at, at + 4096);
}

function counted(text: string): number {
  const counter = new LogCounter();
  for (const piece of pieces(text)) counter.push(piece);
  return counter.commits;
}

function fetched(text: string): number {
  const report = new FetchReport();
  for (const piece of pieces(text)) report.add(piece);
  return report.refs.length;
}

const template = 'git://{repo}/{+ref}.{name}/{+path}-{rest}';
const pattern = compilePattern('^(a+)+$|(a|aa)*b|\\s+$');

/** All parsers of external text by name. */
export const parsers: Readonly<Record<string, Fed>> = {
  'a line of JSON-RPC': {
    alphabet: ['{', '"', '\\', '\n', '\r', '\ufeff', ' '],
    parse: (text) => {
      const reader = new LineReader({ line: () => {}, fault: () => {} }, 4_000_000);
      for (const piece of pieces(text)) reader.push(piece);
    },
  },
  'events of a stream': {
    alphabet: ['data:', '\n', '\r', ':', 'id:', ' '],
    parse: (text) => {
      const reader = new SseReader({ event: () => {}, retry: () => {}, fault: () => {} }, 4_000_000);
      for (const piece of pieces(text)) reader.push(piece);
    },
  },
  'a challenge': { alphabet: ['a', ',', ' ', '=', '"', '\\', 'a="'], parse: parseChallenges },
  'a pattern of a schema': {
    alphabet: ['a', 'b', ' '],
    parse: (text) => pattern.matches(text, new Budget()),
  },
  'names of _meta': {
    alphabet: ['a', '.', '-', '/', 'a.', '0'],
    parse: (text) => checkMetaNames('x', { [text]: 1 }),
  },
  'a resource URI': {
    alphabet: ['git://', '/', '.', '-', 'a', '%', '%ff'],
    parse: (text) => matchUri(text, template),
  },
  'a file URI': {
    alphabet: ['file:///', '/', '%', '%2f', '.', 'a'],
    parse: (text) => fromFileUri(`file:///${text}`),
  },
  'a name of bytes': { alphabet: ['\x80', '\xe2', 'a', '\xff'], parse: decodeName },
  'Cache-Control': { alphabet: ['a', '"', ',', '=', ' ', '\\', 'a="', ';'], parse: parseCacheControl },
  'a date of HTTP': { alphabet: ['sun, ', '0', ' ', ':', '-'], parse: (text) => parseHttpDate(text, 0) },
  'Content-Disposition': {
    alphabet: ['a', ';', '"', '\\', '=', ' ', "''", 'filename="', '%'],
    parse: dispositionName,
  },
  'a name for a file': { alphabet: ['.', ' ', '\ufffd', '/', 'a', '\u200d'], parse: safeName },
  'the charset of a page': {
    alphabet: [...marks, '<meta ', '<html ', 'lang=', 'charset=', '<!--'],
    parse: (text) => [htmlLanguage(text), metaEncoding(text), xmlEncoding(text)],
  },
  'the kind of an answer': {
    alphabet: [...marks, '<!doctype ', '<?', '<!--', '<a:', ',', ';'],
    parse: bytes((all) => kindOf(all, { contentType: undefined, url })),
  },
  'robots.txt': {
    alphabet: ['user-agent: *\n', 'disallow: /', '*', '$', '%', '#', ' ', '\n', ':'],
    parse: (text) => parseRobots(text),
  },
  'a title': {
    alphabet: ['|', '-', ' ', '::', '»', 'a', ' - '],
    parse: (text) => titleOf({ declared: text, tag: undefined, heading: undefined, site: 'a' }),
  },
  'plain text': {
    alphabet: [...marks, ...web, '<a:', '!['],
    parse: (text) => pageOf(readPlain(input('text/plain')(text)), { maxLength: 5000 }),
  },
  'addresses of a page': {
    alphabet: [...web, '.', '*', ')', 'a', ' '],
    parse: (text) => [...urlsIn(readPlain(input('text/plain')(text)))],
  },
  Markdown: {
    alphabet: [
      ...marks,
      '`',
      '~~~',
      '#',
      '# ',
      '|',
      '-|',
      '![](',
      '[](',
      '[a](<',
      '[a]: ',
      '<!--',
      'href="',
      '---\n',
      '> ',
    ],
    parse: (text) => pageOf(readMarkdown(input('text/markdown')(text)), { maxLength: 5000 }),
  },
  'an SVG': {
    alphabet: ['<svg ', '<title>', '"', "'", 'width=', ' ', '<'],
    parse: (text) => readSvg(input('image/svg+xml')(text)),
  },
  'a table': {
    alphabet: [',', '"', '\n', '\t', ';', 'a', ' ', '""'],
    parse: (text) => readCsv(input('text/csv')(text)),
  },
  'a feed': {
    alphabet: [...markup, '<rss><channel>', '<item>', '<title>', '['],
    parse: (text) =>
      readFeed(input('application/rss+xml')(text), (html) => ({
        text: html,
        removed: { hidden: 0, invisible: 0, links: 0 },
      })),
  },
  'a sitemap': {
    alphabet: [...markup, '<urlset>', '<url><loc>', ' '],
    parse: (text) => readSitemap(input('application/xml')(text)),
  },
  XML: { alphabet: [...markup, ' '], parse: (text) => readXml(input('application/xml')(text)) },
  JSON: {
    alphabet: ['{', '[', '"', '\\', '[0,', '{"a":', ' ', '\n', '0'],
    parse: (text) => readJson(input('application/json')(text)),
  },
  'style sheets': {
    alphabet: ['<style>', '<style ', '{', '}', '/*', ';', ':', '@media ', 'a', '.a,', ' ', '"'],
    parse: (text) => [readStyles(text), readStyles(`<style>${text}`), readDeclarations(text)],
  },
  'a page': {
    alphabet: [
      ...markup,
      '<title>',
      '<style>',
      '<script>',
      '<table><tr><td>',
      '<ul><li>',
      '*',
      '_',
      '`',
      '[',
      ' ',
      'a',
      '|',
    ],
    parse: (text) => readHtml(text, { url, want: 'article' }),
  },
  'a glob': {
    alphabet: ['{', ',', '}', '*', '?', '[', '/', 'a', '!('],
    parse: (text) => compileGlob(text.slice(0, 4096), undefined),
  },
  'an ignore file': { alphabet: ['*', '/', '\\', '[', ' ', '!', '#', '\n'], parse: parseIgnoreFile },
  'an author line': { alphabet: [' ', '<', '>', '0', 'a', '\t', '\r', '<a> 0 +', '\n'], parse: readIdent },
  'the head of an object': { alphabet: ['a b\n', ' ', '\n', 'a'], parse: bytes(readHeaders) },
  'a configuration': {
    alphabet: ['[', ']', '"', '\\', '\n', ' ', 'a', '=', 'a=', '#', '[a "'],
    parse: parseConfig,
  },
  'listed settings': { alphabet: ['a', '\0', '\n', '.', 'file:'], parse: bytes(parseConfigList) },
  'an address of git': { alphabet: ['a', ...web, '/', '.', '+'], parse: urlOf },
  'what git says': {
    alphabet: [...web, 'a', '=', '&', 'cookie', 'cookie:', ' ', 'token', '?', '-'],
    parse: redact,
  },
  progress: { alphabet: ['A', ' ', ':', '%', '(', '0', 'remote: '], parse: parseProgress },
  'a todo of a rebase': { alphabet: ['pick ', ' ', '\n', '\t', 'a', '-c ', '0'], parse: bytes(parseTodo) },
  'the status of files': { alphabet: ['1 ', '\0', ' ', '? ', 'a', '# '], parse: bytes(parseStatus) },
  changes: { alphabet: [':', '\0', ' ', 'a', '\n', '0\t'], parse: bytes(parseChanges) },
  'a patch': {
    alphabet: ['diff --git ', '@@ ', '@@ -1 +1 @@\n', '+', '-', '\n', ' ', '"', '\\', '--- a'],
    parse: bytes((all) => parsePatch(all)),
  },
  'a log': { alphabet: ['\0', '\n', ' ', 'a', ':'], parse: bytes(parseLog) },
  'a counted log': { alphabet: ['\0', '\n', ' R', 'a', ':'], parse: counted },
  'a blame': { alphabet: ['\n', ' ', 'a', 'filename ', '0'], parse: bytes(parseBlame) },
  'a report of a fetch': { alphabet: ['\n', '\r', ' * [a', ']', ' ', '-> ', '('], parse: fetched },
  'a quoted name': { alphabet: ['"', '\\', '0', '\\0', 'a'], parse: (text) => unquote(`"${text}"`) },
  'conflict markers': {
    alphabet: ['<<<<<<< \n', '=======\n', '>>>>>>> \n', '|||||||', '\n', '<', 'a'],
    parse: bytes((all) => parseMarkers(all)),
  },
  SQL: {
    alphabet: [...marks, '/*', '*/', '--', ';', '`', ',', 'a ', 'x', "x'", '$', ':', '@', '('],
    parse: splitStatements,
  },
  'exact JSON': {
    alphabet: ['"', '\\', '0', '-', 'e', '.', '"\\', '1.5'],
    parse: (text) => parseExact(`1.0 ${text}`),
  },
};
