import { afterEach, expect, test } from 'vitest';
import { WebError } from '../../src/failure.ts';
import { Navigation } from '../../src/rendering/navigation.ts';
import { Lifetime } from '../../src/web/lifetime.ts';
import type { RedirectPolicy } from '../../src/web/visit.ts';

const lifetimes: Lifetime[] = [];
afterEach(() => {
  for (const lifetime of lifetimes.splice(0)) lifetime.finish();
});

/** Returns the navigation of a page over these URLs, and which of them were requested. */
async function way(redirects: RedirectPolicy, ...urls: string[]) {
  const asked: string[] = [];
  let turns = 0;
  const lifetime = new Lifetime(60_000);
  lifetimes.push(lifetime);
  const web = {
    admit: async (url: URL) => {
      asked.push(url.href);
      turns++;
      return () => {
        turns--;
      };
    },
    heed: () => {},
  };
  const journey = new Navigation({ web, redirects, lifetime });
  for (const url of urls) await journey.depart(new URL(url)).catch(() => {});
  const held = turns;
  journey.end();
  return { asked, refusal: journey.refusal, held, left: turns };
}

const here = 'https://here.example/';

test('a page navigates as the redirect policy allows', async () => {
  const cases: readonly [RedirectPolicy, string, boolean][] = [
    ['follow', 'https://elsewhere.example/', true],
    ['follow', 'http://here.example/', false],
    ['same-site', 'https://www.here.example/', true],
    ['same-site', 'https://elsewhere.example/', false],
    ['report', 'https://here.example/next', false],
  ];
  for (const [policy, target, follows] of cases) {
    const { asked, refusal } = await way(policy, here, target);
    expect([policy, target, asked.includes(target)]).toEqual([policy, target, follows]);
    if (follows) expect(refusal).toBeUndefined();
    else expect([refusal?.code, refusal?.way.leadsTo]).toEqual(['redirect-refused', target]);
  }
});

test('a navigation has one turn at a time, and ends it at its end', async () => {
  const { held, left } = await way('follow', here, `${here}one`, `${here}two`);
  expect([held, left]).toEqual([1, 0]);
});

test('a navigation without end is stopped', async () => {
  const { asked, refusal } = await way('follow', ...Array.from({ length: 20 }, (_, at) => `${here}${at}`));
  expect([asked.length, refusal instanceof WebError && refusal.code]).toEqual([11, 'too-many-redirects']);
});
