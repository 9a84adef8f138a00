import { expect, test } from 'vitest';
import { downloadName } from '../../src/downloading/file-names.ts';

const nameOf = (disposition: string | undefined, path = '/page', type = 'text/html') =>
  downloadName(new URL(path, 'https://example.org'), {
    'content-type': type,
    ...(disposition !== undefined && { 'content-disposition': disposition }),
  });

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

test.each([
  ['a plain name', 'attachment; filename=report.pdf', 'report.pdf'],
  ['a quoted name', 'attachment; filename="annual report.pdf"', 'annual report.pdf'],
  ['a name with quotes in it', String.raw`attachment; filename="a \"b\" c.txt"`, 'a _b_ c.txt'],
  ['a semicolon within quotes', 'attachment; filename="a;b.txt"; size=4', 'a;b.txt'],
  ['an extended name', "attachment; filename*=UTF-8''na%C3%AFve%20file.txt", 'naïve file.txt'],
  ['both names', 'attachment; filename="plain.txt"; filename*=UTF-8\'\'%E2%82%AC.txt', '€.txt'],
  ['both names, the extended first', "attachment; filename*=utf-8'en'%C3%A9.txt; filename=e.txt", 'é.txt'],
  ['an extended name in Latin-1', "attachment; filename*=iso-8859-1'en'caf%E9.txt", 'café.txt'],
  ['an extended name in another charset', "attachment; filename*=koi8-r''%C6%C1%CA%CC.txt", 'файл.txt'],
  [
    'an extended name whose charset there is not',
    "attachment; filename*=klingon''a.txt; filename=b.txt",
    'b.txt',
  ],
  ['an extended name that is broken', "attachment; filename*=UTF-8''%ff%zz; filename=b.txt", 'b.txt'],
  ['an extended name with wrong bytes', "attachment; filename*=UTF-8''%ff.txt; filename=b.txt", 'b.txt'],
  ['UTF-8 in a plain name', latin1('attachment; filename="naïve.txt"'), 'naïve.txt'],
  ['Latin-1 in a plain name', 'attachment; filename="caf\xe9.txt"', 'café.txt'],
  ['a name without a kind before it', 'filename=a.txt', 'a.txt'],
  ['a name that is there twice', 'attachment; filename=a.txt; filename=b.txt', 'a.txt'],
])('%s names the file', (_what, disposition, name) => {
  expect(nameOf(disposition)).toBe(name);
});

test.each([
  ['folders above', 'filename="../../etc/passwd"', 'passwd'],
  ['an absolute path', 'filename="/etc/cron.d/job"', 'job'],
  ['folders of Windows', String.raw`filename="..\\..\\Startup\\run.bat"`, 'run.bat'],
  ['a drive', String.raw`filename="C:\\x\\y.txt"`, 'y.txt'],
  ['encoded separators', "filename*=UTF-8''..%2f..%5c%2fx.txt", 'x.txt'],
  ['a stream', 'filename="a.txt:hidden"', 'a.txt_hidden'],
  ['a hidden name', 'filename=".bashrc"', 'bashrc'],
  ['dots and spaces before', 'filename=" . .git"', 'git'],
  ['dots and spaces at the end', 'filename="a.exe. . "', 'a.exe'],
  ['a NUL', "filename*=UTF-8''a.txt%00.png", 'a.txt.png'],
  ['a line break', "filename*=UTF-8''a%0d%0ab.txt", 'ab.txt'],
  ['what turns the direction', "filename*=UTF-8''%E2%80%AEtxt.exe", 'txt.exe'],
  ['what is invisible', "filename*=UTF-8''a%E2%80%8Bb.txt", 'ab.txt'],
  ['a device', 'filename="CON"', '_CON'],
  ['a device with an extension', 'filename="nul.txt"', '_nul.txt'],
  ['a device with a digit', "filename*=UTF-8''COM%C2%B9.log", '_COM¹.log'],
  ['signs that Windows does not take', 'filename="a<b>c|d?e*f.txt"', 'a_b_c_d_e_f.txt'],
  ['dots alone', 'filename=".."', 'page'],
  ['nothing', 'filename=""', 'page'],
  ['signs alone', 'filename="???"', 'page'],
  ['a folder for our own', 'filename=".rootbound-staging"', 'rootbound-staging'],
])('%s in a name leaves one harmless name', (_what, disposition, name) => {
  expect(nameOf(`attachment; ${disposition}`)).toBe(name);
});

test('a long name is shortened before its extension, between characters', () => {
  const name = nameOf(`attachment; filename*=UTF-8''${'%F0%9F%8D%B5'.repeat(100)}.tar.gz`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(name).toMatch(/^(?:🍵)+\.gz$/u);
});

test.each([
  ['/files/tea.zip?version=2#part', 'tea.zip'],
  ['/files/tea%20cup.zip', 'tea cup.zip'],
  ['/files/%2e%2e%2fx.zip', 'x.zip'],
  ['/files/100%', '100%'],
])('without a name in the response %s names the file by its last segment', (path, name) => {
  expect(nameOf(undefined, path)).toBe(name);
});

test.each([
  ['text/html; charset=utf-8', 'download.html'],
  ['application/pdf', 'download.pdf'],
  ['application/x-unheard-of', 'download'],
])('a URL without a name uses the media type %s', (type, name) => {
  expect(nameOf(undefined, '/files/', type)).toBe(name);
});
