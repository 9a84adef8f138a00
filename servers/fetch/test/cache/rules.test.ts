import { describe, expect, test } from 'vitest';
import { date, Origin } from './origin.ts';

type Outcome = 'cached' | 'asked' | 'etag' | 'modified';
/** name of the case, header fields, seconds until the second request, and its outcome */
type Case = readonly [name: string, headers: Record<string, string>, seconds: number, outcome: Outcome];

/** Returns the outcome of the second of two equal requests. */
async function outcomeOf(headers: Record<string, string>, seconds: number, status = 200): Promise<Outcome> {
  const origin = new Origin().will({ status, headers });
  await origin.fetch();
  origin.later(seconds);
  const { from } = await origin.fetch();
  if (from === 'cache') return 'cached';
  const { conditions } = origin.seen[1]!;
  if (conditions['if-none-match'] !== undefined) return 'etag';
  return conditions['if-modified-since'] === undefined ? 'asked' : 'modified';
}

const cc = (value: string, more: Record<string, string> = {}) => ({ 'cache-control': value, ...more });

// The facts are those of https://github.com/http-tests/cache-tests at b55b8bd (BSD-3-Clause), with its names.
const cases: Readonly<Record<string, readonly Case[]>> = {
  'RFC 9111 section 4.2.1: freshness': [
    ['freshness-none', {}, 3, 'asked'],
    ['freshness-max-age', cc('max-age=3600'), 3, 'cached'],
    ['freshness-max-age-stale', cc('max-age=2'), 3, 'asked'],
    ['freshness-max-age-0', cc('max-age=0'), 3, 'asked'],
    ['freshness-max-age-max-minus-1', cc('max-age=2147483647'), 3, 'cached'],
    ['freshness-max-age-max-plus', cc('max-age=2147483650'), 3, 'cached'],
    ['freshness-max-age-100000000000', cc('max-age=99999999999'), 3, 'cached'],
    ['freshness-max-age-date', cc('max-age=3600', { date: date(-7200) }), 3, 'asked'],
    ['freshness-max-age-age', cc('max-age=3600', { age: '7200' }), 3, 'asked'],
    ['freshness-max-age-expires', cc('max-age=3600', { expires: date(-7200) }), 3, 'cached'],
    ['freshness-max-age-0-expires', cc('max-age=0', { expires: date(7200) }), 3, 'asked'],
    ['freshness-max-age-extension', cc('foobar, max-age=3600'), 3, 'cached'],
    ['freshness-max-age-case-insensenstive', cc('MaX-aGe=3600'), 3, 'cached'],
    ['freshness-max-age-s-maxage-private', cc('max-age=3600, s-maxage=1'), 3, 'cached'],
    ['freshness-s-maxage alone means nothing to a private cache', cc('s-maxage=3600'), 3, 'asked'],
    ['freshness-expires-future', { expires: date(3600) }, 3, 'cached'],
    ['freshness-expires-past', { expires: date(-3600) }, 3, 'asked'],
    ['freshness-expires-present', { expires: date(0) }, 3, 'asked'],
    ['freshness-expires-old-date', { expires: date(60), date: date(-120) }, 200, 'asked'],
    ['freshness-expires-age-slow-date', { expires: date(3600), date: date(-20), age: '4000' }, 3, 'asked'],
  ],
  'RFC 9111 section 5.2: how Cache-Control is read': [
    ['freshness-max-age-single-quoted', cc("max-age='3600'"), 3, 'asked'],
    ['freshness-max-age-quoted', cc('max-age="3600"'), 3, 'cached'],
    ['freshness-max-age-ignore-quoted', cc('extension="max-age=3600", max-age=1'), 3, 'asked'],
    ['freshness-max-age-ignore-quoted-rev', cc('max-age=1, extension="max-age=3600"'), 3, 'asked'],
    ['freshness-max-age-leading-zero', cc('max-age=003600'), 3, 'cached'],
    ['freshness-max-age-negative', cc('max-age=-3600'), 3, 'asked'],
    ['freshness-max-age-two-fresh-stale-sameline', cc('max-age=1800, max-age=1'), 3, 'cached'],
    ['freshness-max-age-empty', cc('max-age='), 3, 'asked'],
  ],
  'RFC 9111 section 5.1: how Age is read': [
    ['age-parse-nonnumeric', cc('max-age=3600', { age: 'abc' }), 3, 'cached'],
    ['age-parse-negative', cc('max-age=3600', { age: '-7200' }), 3, 'cached'],
    ['age-parse-prefix', cc('max-age=3600', { age: '7200, abc' }), 3, 'asked'],
    ['age-parse-suffix-twoline', cc('max-age=3600', { age: 'abc, 7200' }), 3, 'cached'],
    ['age-parse-dup-old', cc('max-age=3600', { age: '7200, 0' }), 3, 'asked'],
  ],
  'RFC 9110 section 5.6.7: how dates are read': [
    ['freshness-expires-rfc850', { expires: 'Sunday, 01-Mar-26 13:00:00 GMT' }, 3, 'cached'],
    ['freshness-expires-ansi-c', { expires: 'Sun Mar  1 13:00:00 2026' }, 3, 'cached'],
    ['freshness-expires-wrong-case-month', { expires: 'Sun, 01 mAr 2026 13:00:00 GMT' }, 3, 'cached'],
    ['freshness-expires-invalid (0)', { expires: '0' }, 3, 'asked'],
    ['freshness-expires-invalid-aest', { expires: 'Sun, 01 Mar 2026 13:00:00 AEST' }, 3, 'asked'],
    ['freshness-expires-invalid-utc', { expires: 'Sun, 01 Mar 2026 13:00:00 UTC' }, 3, 'asked'],
    ['freshness-expires-invalid-date-dashes', { expires: 'Sun, 01-Mar-2026 13:00:00 GMT' }, 3, 'asked'],
    ['freshness-expires-invalid-1-digit-hour', { expires: 'Sun, 01 Mar 2026 9:00:00 GMT' }, 3, 'asked'],
    ['freshness-expires-invalid-multiple-spaces', { expires: 'Sun, 01  Mar  2026 13:00:00 GMT' }, 3, 'asked'],
    ['freshness-expires-invalid-no-comma', { expires: 'Sun 01 Mar 2026 13:00:00 GMT' }, 3, 'asked'],
    ['freshness-expires-invalid-2-digit-year', { expires: 'Sun, 01 Mar 26 13:00:00 GMT' }, 3, 'asked'],
    ['freshness-expires-invalid-multiple-lines', { expires: `${date(3600)}, ${date(3600)}` }, 3, 'asked'],
    [
      'a year of two digits lies at most fifty years ahead',
      { expires: 'Sunday, 01-Mar-77 13:00:00 GMT' },
      3,
      'asked',
    ],
  ],
  'RFC 9111 section 5.2.2: what answers forbid': [
    ['cc-resp-no-store', cc('no-store'), 3, 'asked'],
    ['cc-resp-no-store-case-insensitive', cc('No-StOrE'), 3, 'asked'],
    ['cc-resp-no-store-fresh', cc('max-age=10000, no-store'), 3, 'asked'],
    ['cc-resp-no-store-old-new', cc('no-store, max-age=10000', { etag: '"a"' }), 3, 'asked'],
    ['cc-resp-no-cache', cc('no-cache'), 3, 'asked'],
    ['cc-resp-no-cache-revalidate', cc('max-age=10000, no-cache', { etag: '"a"' }), 3, 'etag'],
    [
      'cc-resp-no-cache with names of fields',
      cc('max-age=10000, no-cache="a, b"', { etag: '"a"' }),
      3,
      'etag',
    ],
    ['cc-resp-must-revalidate-fresh', cc('max-age=10000, must-revalidate'), 3, 'cached'],
    ['cc-resp-must-revalidate-stale', cc('max-age=2, must-revalidate', { etag: '"a"' }), 3, 'etag'],
    ['cc-resp-private-private', cc('private, max-age=3600'), 3, 'cached'],
    [
      'must-understand makes no-store void where the status is known',
      cc('no-store, must-understand, max-age=60'),
      3,
      'cached',
    ],
  ],
  'RFC 9111 section 4.2.2: heuristics': [
    ['heuristic-200-cached', { 'last-modified': date(-100_000) }, 3, 'cached'],
    ['a tenth of its age at most', { 'last-modified': date(-1000) }, 101, 'modified'],
    ['a day at most', { 'last-modified': date(-10_000_000) }, 86_401, 'modified'],
    ['no Last-Modified, no heuristics', cc('public'), 3, 'asked'],
  ],
  'RFC 9111 section 4.3.1: what is asked': [
    ['conditional-etag-strong-generate', cc('max-age=1', { etag: '"abcdef"' }), 3, 'etag'],
    ['conditional-etag-weak-generate-weak', cc('max-age=1', { etag: 'W/"abcdef"' }), 3, 'etag'],
    ['conditional-lm-stale', cc('max-age=1', { 'last-modified': date(-3000) }), 3, 'modified'],
  ],
  'RFC 9111 section 4.1: Vary': [
    ['vary-no-match of everything', cc('max-age=3600', { vary: '*' }), 3, 'asked'],
    ['vary-syntax-foo-star', cc('max-age=3600', { vary: 'Foo, *' }), 3, 'asked'],
    ['vary-match of what neither sends', cc('max-age=3600', { vary: 'Foo' }), 3, 'cached'],
  ],
};

describe.each(Object.entries(cases))('%s', (_section, rows) => {
  test.each(rows)('%s', async (_name, headers, seconds, outcome) => {
    expect(await outcomeOf(headers, seconds)).toBe(outcome);
  });
});

describe('RFC 9111 section 3: statuses that are stored', () => {
  test.each([200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599])(
    '%i with explicit freshness is stored',
    async (status) => {
      expect(await outcomeOf(cc('max-age=3600'), 3, status)).toBe('cached');
    },
  );
  test.each([200, 203, 204, 404, 405, 410, 414, 501])('%i is stored heuristically', async (status) => {
    expect(await outcomeOf({ 'last-modified': date(-100_000) }, 3, status)).toBe('cached');
  });
  test.each([201, 202, 303, 403, 502, 503, 504, 599])('%i is not stored heuristically', async (status) => {
    expect(await outcomeOf({ 'last-modified': date(-100_000) }, 3, status)).toBe('asked');
  });
  test('heuristic-599-cached: any status is stored with public', async () => {
    const headers = cc('public', { 'last-modified': date(-100_000) });
    expect(await outcomeOf(headers, 3, 599)).toBe('cached');
  });
  test('206, an unrequested 304, and with must-understand an unknown status are not stored', async () => {
    for (const status of [206, 304]) expect(await outcomeOf(cc('max-age=3600'), 3, status)).toBe('asked');
    expect(await outcomeOf(cc('max-age=3600, must-understand'), 3, 299)).toBe('asked');
  });
});
