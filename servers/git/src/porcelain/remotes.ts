import type { ConfigEntry } from './config-list.ts';
import { nameOfByteString } from './names.ts';
import { isTrue, type Setting, toSetting, urlOf } from './settings.ts';

/** A remote as git uses it: rewritten by `url.*.insteadOf`, without credentials. */
export interface Remote {
  readonly name: string;
  /** undefined where none is configured */
  readonly fetchUrl: string | undefined;
  readonly pushUrls: readonly string[];
  readonly refspecs: readonly string[];
  readonly mirror: boolean;
  readonly prune: boolean;
  /** whether the remote is to provide missing objects */
  readonly promisor: boolean;
}

/** Returns the remotes of a configuration, in its order. */
export function remotesOf(configuration: readonly Pick<ConfigEntry, 'key' | 'value'>[]): Remote[] {
  const settings = configuration.map(toSetting);
  const byName = new Map<string, Setting[]>();
  for (const setting of settings) {
    if (setting.section !== 'remote' || setting.subsection === '') continue;
    const known = byName.get(setting.subsection);
    if (known === undefined) byName.set(setting.subsection, [setting]);
    else known.push(setting);
  }
  const rewrites = { fetch: rewritesOf(settings, 'insteadof'), push: rewritesOf(settings, 'pushinsteadof') };
  return [...byName].map(([name, own]) => toRemote(name, own, rewrites));
}

interface Rewrite {
  readonly base: string;
  readonly prefix: string;
}

function toRemote(
  name: string,
  settings: readonly Setting[],
  rewrites: { fetch: readonly Rewrite[]; push: readonly Rewrite[] },
): Remote {
  const all = (key: string) => settings.flatMap((one) => (one.name === key ? (one.value ?? '') : []));
  const is = (key: string) => {
    const last = settings.findLast((one) => one.name === key);
    return last !== undefined && isTrue(last.value);
  };
  const urls = all('url').filter((url) => url !== '');
  const fetchUrls = urls.map((url) => rewrite(url, rewrites.fetch) ?? url);
  const explicit = all('pushurl').map((url) => rewrite(url, rewrites.fetch) ?? url);
  // git pushes only to the rewritten addresses where there are any
  const rewritten = urls.flatMap((url) => rewrite(url, rewrites.push) ?? []);
  const pushUrls = [explicit, rewritten, fetchUrls].find((candidates) => candidates.length > 0) ?? [];
  return {
    name: nameOfByteString(name),
    fetchUrl: fetchUrls[0] === undefined ? undefined : urlOf(fetchUrls[0]),
    pushUrls: pushUrls.map(urlOf),
    refspecs: all('fetch').map(nameOfByteString),
    mirror: is('mirror'),
    prune: is('prune'),
    promisor: is('promisor'),
  };
}

function rewritesOf(settings: readonly Setting[], key: string): Rewrite[] {
  return settings
    .filter((one) => one.section === 'url' && one.name === key)
    .map(({ subsection, value }) => ({ base: subsection, prefix: value ?? '' }));
}

/** Returns the address by the longest matching prefix; of equal ones the first. */
function rewrite(url: string, rewrites: readonly Rewrite[]): string | undefined {
  let best: Rewrite | undefined;
  for (const one of rewrites) {
    if (url.startsWith(one.prefix) && one.prefix.length > (best?.prefix.length ?? -1)) best = one;
  }
  return best === undefined ? undefined : best.base + url.slice(best.prefix.length);
}
