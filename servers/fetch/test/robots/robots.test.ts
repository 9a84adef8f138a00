import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseRobots, ROBOTS_BYTES } from '../../src/robots/robots.ts';

interface Vector {
  test: string;
  robots: string;
  ua: string;
  url: string;
  allow: boolean;
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('./vectors/google.json', import.meta.url), 'utf8'),
) as Vector[];

/** Returns the path of a URL without the URL parser's changes, as the vectors mean it. */
function pathOf(url: string): string {
  const found = /^[a-z]+:\/\/[^/?]*(.*)$/.exec(url);
  return found?.[1] ?? '';
}

function failing(of: readonly Vector[]): Vector[] {
  return of.filter(
    ({ robots, ua, url, allow }) => parseRobots(robots).judgePath(ua, pathOf(url)).allowed !== allow,
  );
}

const isGoogles = ({ test: name }: Vector) => name.startsWith('GoogleOnly');
const judged = (robots: string, path: string, token = 'FooBot') =>
  parseRobots(robots).judge(token, new URL(path, 'https://foo.bar'));
const allows = (robots: string, path: string, token?: string) => judged(robots, path, token).allowed;
const forAll = (...rules: string[]) => ['User-agent: *', ...rules].join('\n');

describe('vectors of google/robotstxt', () => {
  test('all 72 that follow the protocol come out as they say', () => {
    const of = vectors.filter((vector) => !isGoogles(vector));
    expect(of).toHaveLength(72);
    expect(failing(of)).toEqual([]);
  });

  // chosen: site owners write and test their files with Google's tools, so its interpretations are followed:
  // a user agent ends at its first blank, and an allowed index page allows its folder
  test('all 68 that go beyond it come out as they say too', () => {
    const of = vectors.filter(isGoogles);
    expect(of).toHaveLength(68);
    expect(failing(of)).toEqual([]);
  });

  test('a URL differs from its path only in two of them, whose character the URL parser encodes', () => {
    const different = vectors.filter(
      ({ robots, ua, url, allow }) =>
        url !== '' && parseRobots(robots).judge(ua, new URL(url)).allowed !== allow,
    );
    expect(different.map(({ url }) => url)).toEqual([
      'http://foo.bar/foo/bar/ツ',
      'http://foo.bar/foo/bar/ツ',
    ]);
  });
});

describe('groups', () => {
  test('a sitemap, an unknown line and a delay between two agents do not split their group', () => {
    for (const line of [
      'Sitemap: https://foo.bar/s.xml',
      'Whatever: x',
      'Crawl-delay: 2',
      'Host: foo.bar',
      '',
    ]) {
      const robots = `User-agent: FooBot\n${line}\nUser-agent: BarBot\nDisallow: /x`;
      expect([allows(robots, '/x'), allows(robots, '/x', 'BarBot')], line).toEqual([false, false]);
    }
  });

  test('groups of one agent are joined, and take precedence over those for all', () => {
    const robots =
      'User-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /c\n\nUser-agent: foobot\nDisallow: /b';
    expect(['/a', '/b', '/c'].map((path) => allows(robots, path))).toEqual([false, false, true]);
    expect(['/a', '/b', '/c'].map((path) => allows(robots, path, 'Other'))).toEqual([true, true, false]);
  });

  test('a version after an agent is ignored, and a longer name is another agent', () => {
    expect(allows('User-agent: FooBot/2.1 (+https://x)\nDisallow: /', '/')).toBe(false);
    expect(allows('User-agent: FooBot-News\nDisallow: /', '/')).toBe(true);
    expect(allows('User-agent: Foo\nDisallow: /', '/')).toBe(true);
  });

  test('an agent with an empty list may fetch all, and rules before any agent are ignored', () => {
    expect(allows('User-agent: *\nDisallow: /\nUser-agent: FooBot\nDisallow:', '/x')).toBe(true);
    expect(allows('Disallow: /\nUser-agent: FooBot\nAllow: /y', '/x')).toBe(true);
  });
});

describe('paths', () => {
  test('robots.txt itself is always allowed, and nothing else by that name', () => {
    const robots = forAll('Disallow: /');
    expect(judged(robots, '/robots.txt')).toEqual({ allowed: true });
    expect(allows(robots, '/robots.txt?v=1')).toBe(true);
    expect(['/robots.txt.html', '/a/robots.txt', '/robots.txt/'].map((path) => allows(robots, path))).toEqual(
      [false, false, false],
    );
  });

  test('an encoded star or dollar in a rule is that character, and a bare one is a wildcard', () => {
    const starred = forAll('Disallow: /a-%2A.html', 'Disallow: /b-%24');
    expect(allows(starred, '/a-*.html')).toBe(false);
    expect(allows(starred, '/a-%2a.html')).toBe(false);
    expect(allows(starred, '/a-x.html')).toBe(true);
    expect(allows(starred, '/b-$c')).toBe(false);
    expect(allows(starred, '/b-')).toBe(true);
    expect(allows(forAll('Disallow: /a$b'), '/a$bc')).toBe(false);
  });

  test('a disallowed path is disallowed in every spelling', () => {
    const robots = forAll(
      'Disallow: /%7Eme/caf\u00e9/{x}',
      'Disallow: /a b',
      "Disallow: /*?q='",
      'Disallow: /%e2%82%ac',
    );
    for (const path of [
      '/~me/caf%C3%A9/%7Bx%7D',
      '/%7eme/caf%c3%a9/{x}',
      '/~%6De/café/{x}',
      '/a b',
      '/a%20b',
      "/x?q='",
      '/x?q=%27',
      '/€',
    ])
      expect(allows(robots, path), path).toBe(false);
    expect(allows(robots, '/~me/cafe/{x}')).toBe(true);
  });

  test('an encoded slash is not a slash', () => {
    expect(allows(forAll('Disallow: /a/b'), '/a%2Fb')).toBe(true);
    expect(allows(forAll('Disallow: /a%2fb'), '/a%2Fb')).toBe(false);
  });

  test('the longest rule decides, the one that allows among equals, and it is named with its line', () => {
    const robots = forAll(
      'Disallow: /shop',
      '# basket',
      'Allow: /shop/open',
      'Disallow: /same',
      'allow: /same',
    );
    expect(judged(robots, '/shop/x')).toEqual({ allowed: false, rule: 'Disallow: /shop', line: 2 });
    expect(judged(robots, '/shop/open')).toEqual({ allowed: true, rule: 'Allow: /shop/open', line: 4 });
    expect(judged(robots, '/same')).toEqual({ allowed: true, rule: 'Allow: /same', line: 6 });
    expect(judged(robots, '/else')).toEqual({ allowed: true });
  });

  test('the text after a wildcard does not overlap with the text before it', () => {
    expect(allows(forAll('Disallow: /aba*aba$'), '/aba')).toBe(true);
    expect(allows(forAll('Disallow: /aba*aba$'), '/abaaba')).toBe(false);
    expect(allows(forAll('Disallow: /a*bc*c$'), '/axxbc')).toBe(true);
    expect(allows(forAll('Disallow: /a*bc*c$'), '/axxbcc')).toBe(false);
    expect(allows(forAll('Disallow: *'), '/')).toBe(false);
    expect(allows(forAll('Disallow: /**/x'), '/a/b/x')).toBe(false);
  });
});

describe('real files', () => {
  test('line ends of every system are accepted, with a byte order mark and blanks', () => {
    for (const end of ['\n', '\r', '\r\n']) {
      const robots = ['\uFEFFUser-agent:\tFooBot ', '', '  Disallow : /x  # why'].join(end);
      expect(judged(robots, '/x'), JSON.stringify(end)).toEqual({
        allowed: false,
        rule: 'Disallow: /x',
        line: 3,
      });
    }
  });

  test('misspelled fields are accepted', () => {
    for (const field of ['Dissallow', 'dissalow', 'Disalow', 'diasllow', 'disallaw', 'DISALLOW'])
      expect(allows(`useragent: FooBot\n${field}: /`, '/'), field).toBe(false);
    expect(allows('user agent: FooBot\ndisallow /', '/')).toBe(false);
    expect(allows('user-agent: FooBot\ndisallow / and more', '/')).toBe(true);
  });

  test('bytes that are not text are ignored, and those in a path are compared unchanged', () => {
    const junk = Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256);
    const robots = Buffer.concat([junk, Buffer.from('\nUser-agent: *\0\nDisallow: /\xe9\n', 'latin1')]);
    expect(parseRobots(robots).judge('FooBot', new URL('https://foo.bar/%E9')).allowed).toBe(false);
    expect(parseRobots(robots).judge('FooBot', new URL('https://foo.bar/é')).allowed).toBe(true);
    expect(parseRobots(new Uint8Array(0)).judge('FooBot', new URL('https://foo.bar/'))).toEqual({
      allowed: true,
    });
    expect(allows('<!doctype html><p>User-agent: *</p><p>Disallow: /</p>', '/')).toBe(true);
  });

  test('sitemaps are listed from every group', () => {
    const { sitemaps } = parseRobots(
      'Sitemap: https://a.b/1.xml\nUser-agent: x\nSite-map:https://a.b/\u00e9.xml\nsitemap:\nDisallow: /',
    );
    expect(sitemaps).toEqual(['https://a.b/1.xml', 'https://a.b/é.xml']);
  });

  test('a numeric delay is returned in milliseconds, and the longest of an agent counts', () => {
    const delay = (value: string) => judged(`User-agent: FooBot\nCrawl-delay: ${value}`, '/').crawlDelayMs;
    expect([delay('2'), delay('0.5'), delay('-1'), delay('soon'), delay('1e9')]).toEqual([
      2000,
      500,
      undefined,
      undefined,
      undefined,
    ]);
    const twice =
      'User-agent: FooBot\nCrawl-delay: 1\nDisallow: /a\nUser-agent: FooBot\nCrawl-delay: 3\nDisallow: /b';
    expect(judged(twice, '/')).toEqual({ allowed: true, crawlDelayMs: 3000 });
    expect(judged(twice, '/', 'Other')).toEqual({ allowed: true });
  });

  test('a long rule is shortened', () => {
    expect(judged(forAll(`Disallow: /${'x'.repeat(5000)}`), `/${'x'.repeat(5000)}`).rule).toBe(
      `Disallow: /${'x'.repeat(199)}…`,
    );
  });
});

describe('size', () => {
  test('500 KiB are parsed, and a rule that the limit cuts does not become a wider one', () => {
    const head = 'User-agent: *\nDisallow: /first\n';
    const padding = `#${'x'.repeat(ROBOTS_BYTES - head.length - '\nDisallow: /'.length - 1)}`;
    const file = `${head}${padding}\nDisallow: /second\nDisallow: /third\n`;
    expect(file.indexOf('second')).toBe(ROBOTS_BYTES);
    expect(['/first', '/second', '/third', '/'].map((path) => allows(file, path))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    const whole = `${head}${padding.slice('second\n'.length)}\nDisallow: /second\n`;
    expect(whole).toHaveLength(ROBOTS_BYTES);
    expect(allows(whole, '/second')).toBe(false);
  });

  test('a path that nearly matches thousands of wildcards is checked without backtracking', () => {
    const path = `/${'a'.repeat(8000)}`;
    const stars = `/${'*a'.repeat(3000)}b`;
    const pieces = `/${`*${'a'.repeat(300)}b`.repeat(12)}$`;
    for (const bomb of [stars, pieces]) {
      const rule = `Disallow: ${bomb}`;
      const file = forAll(
        ...Array.from({ length: Math.floor(ROBOTS_BYTES / (rule.length + 1)) - 1 }, () => rule),
      );
      expect(judged(file, path)).toEqual({ allowed: true });
    }
  });
});
