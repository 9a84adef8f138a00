import type { Params } from '../../jsonrpc/message.ts';
import { given, holds } from './finding.ts';
import { describe, type ListMethod, listMembers, listMethods, readList } from './listing.ts';
import type { Rule, Rules } from './rules.ts';
import type { Scene } from './scene.ts';

/** Returns the rule that a feature is declared if and only if it works. */
function declares(method: ListMethod): Rule {
  return async (scene) => {
    const [capability] = listMembers[method];
    if (scene.has(capability)) return;
    const { result } = await scene.talk.ask(method);
    holds(result === undefined, `${method} is answered without the capability`);
  };
}

function lists(method: ListMethod): Rule {
  return async (scene) => void (await scene.items(method));
}

/** Returns the rule that the items of a list have unique names. */
function isUnique(method: ListMethod): Rule {
  return async (scene) => {
    const [, , key] = listMembers[method];
    const names = (await scene.items(method)).map((item) => item[key]);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    holds(twice === undefined, `${method} contains ${JSON.stringify(twice)} twice`);
  };
}

/** Returns the rule that another connection gets the same list. */
function isSame(method: ListMethod): Rule {
  return async (scene) => {
    const [, , key] = listMembers[method];
    const [talk, items] = [await scene.other(), await scene.items(method)];
    const again = await readList(talk, method);
    const [here, there] = [items, again.items].map((all) => new Set(all.map((item) => item[key])));
    const other = [...(here ?? [])].find((name) => there?.has(name) !== true);
    const isEqual = other === undefined && here?.size === there?.size;
    holds(isEqual, `another connection gets other items of ${method}`);
  };
}

/** Returns all pages of all lists of the server. */
async function pagesOf(scene: Scene): Promise<{ method: ListMethod; page: Params; last: boolean }[]> {
  const methods = listMethods.filter((method) => scene.has(listMembers[method][0]));
  given(methods.length > 0, 'the server has no lists');
  const all = await Promise.all(methods.map(async (method) => ({ method, ...(await scene.list(method)) })));
  return all.flatMap(({ method, pages, problem }) =>
    pages.map((page, index) => ({ method, page, last: problem === undefined && index === pages.length - 1 })),
  );
}

function hasHints(method: ListMethod): Rule {
  return async (scene) => {
    const { pages } = await scene.list(method);
    for (const page of pages) holdsHints(method, page);
  };
}

function holdsHints(what: string, { ttlMs, cacheScope }: Params): void {
  const hints = `ttlMs ${JSON.stringify(ttlMs)} and cacheScope ${JSON.stringify(cacheScope)}`;
  holds(typeof ttlMs === 'number' && typeof cacheScope === 'string', `the result of ${what} has ${hints}`);
}

export const listRules: Rules = {
  'tools/declares-capability': declares('tools/list'),
  'resources/declares-capability': declares('resources/list'),
  'prompts/declares-capability': declares('prompts/list'),
  'tools/list-returns-tools': lists('tools/list'),
  'resources/list-returns-resources': lists('resources/list'),
  'resources/templates-list-returns-templates': lists('resources/templates/list'),
  'prompts/list-returns-prompts': lists('prompts/list'),
  'tools/name-identifies-tool-uniquely': isUnique('tools/list'),
  'resources/uri-identifies-resource-uniquely': isUnique('resources/list'),
  'prompts/name-identifies-prompt-uniquely': isUnique('prompts/list'),
  'tools/tool-set-not-per-connection': isSame('tools/list'),
  'resources/resource-set-not-per-connection': isSame('resources/list'),
  'prompts/prompt-set-not-per-connection': isSame('prompts/list'),
  'tools/tools-in-deterministic-order': async (scene) => {
    const names = (await scene.items('tools/list')).map(({ name }) => name);
    const again = (await readList(scene.talk, 'tools/list')).items.map(({ name }) => name);
    holds(JSON.stringify(names) === JSON.stringify(again), 'a second tools/list has a different order');
  },
  'pagination/cursor-is-opaque-string': async (scene) => {
    const wrong = (await pagesOf(scene)).find(
      ({ page, last }) => !last && typeof page.nextCursor !== 'string',
    );
    holds(wrong === undefined, `${wrong?.method} has the cursor ${JSON.stringify(wrong?.page.nextCursor)}`);
  },
  'pagination/next-cursor-omitted-at-end': async (scene) => {
    const wrong = (await pagesOf(scene)).find(({ page, last }) => last && 'nextCursor' in page);
    holds(wrong === undefined, `the last page of ${wrong?.method} has a nextCursor`);
  },
  'pagination/page-starts-after-cursor': async (scene) => {
    const paged = (await pagesOf(scene)).filter(({ last }) => !last).map(({ method }) => method);
    given(paged.length > 0, 'no list has a second page');
    for (const method of new Set(paged)) await isUnique(method)(scene);
  },
  'pagination/invalid-cursor-error-32602': async (scene) => {
    const method = listMethods.find((one) => scene.has(listMembers[one][0]));
    given(method !== undefined, 'the server has no lists');
    const { error, result } = await scene.talk.ask(method, { cursor: 'no cursor of this server' });
    holds(
      error?.code === -32602,
      `${method} with an invalid cursor was answered with ${describe({ error, result })}`,
    );
  },
  'caching/discover-result-has-cache-hints': ({ greeting }) =>
    holdsHints('server/discover', greeting.result ?? {}),
  'caching/tools-list-result-has-cache-hints': hasHints('tools/list'),
  'caching/resources-list-result-has-cache-hints': hasHints('resources/list'),
  'caching/resource-templates-list-result-has-cache-hints': hasHints('resources/templates/list'),
  'caching/prompts-list-result-has-cache-hints': hasHints('prompts/list'),
  'caching/resources-read-result-has-cache-hints': async (scene) => {
    for (const { uri, answer } of await scene.reads())
      if (answer.result?.resultType === 'complete') holdsHints(uri, answer.result);
  },
  'caching/ttl-is-not-negative': async (scene) => {
    const pages = (await pagesOf(scene)).map(({ page }) => page);
    for (const { ttlMs } of [scene.greeting.result ?? {}, ...pages])
      holds(!(typeof ttlMs === 'number' && ttlMs < 0), `it sent a ttlMs of ${String(ttlMs)}`);
  },
  'caching/same-cache-scope-on-all-pages': async (scene) => {
    for (const method of listMethods.filter((one) => scene.has(listMembers[one][0]))) {
      const scopes = new Set((await scene.list(method)).pages.map(({ cacheScope }) => cacheScope));
      holds(scopes.size <= 1, `pages of ${method} have the scopes ${[...scopes].join(' and ')}`);
    }
  },
};
