/**
 * The scenarios of one run of the suite.
 * @typedef {object} ScenarioSet
 * @property {string} name
 * @property {'server' | 'client'} role which side is under test
 * @property {string | undefined} revision what is spoken; undefined leaves it to the scenario
 * @property {readonly string[]} args what the suite is told
 * @property {readonly string[]} scored scenarios that must pass
 * @property {readonly string[]} unscored scenarios that are run and reported
 */

/** Revisions whose set of required scenarios is frozen. */
const FROZEN = ['2025-11-25', '2026-07-28'];
/** Older revisions, for which all scenarios of the suite count. */
const OLDER = ['2025-06-18', '2025-03-26'];

/**
 * Returns all scenarios of the suite, in the sets in which they are run.
 * @param {import('./referee.mjs').Referee} referee
 * @returns {Promise<ScenarioSet[]>}
 */
export async function scenarioSets(referee) {
  const all = parseList(await referee.list([]));
  /** @type {ScenarioSet[]} */
  const sets = [];
  for (const revision of FROZEN) {
    const required = parseList(await referee.list(['--requirements', revision]));
    for (const role of /** @type {const} */ (['server', 'client'])) {
      sets.push({
        name: `${role} ${revision}`,
        role,
        revision,
        args: ['--requirements', revision],
        scored: required[role].map(({ name }) => name),
        unscored: required.unscored.filter(({ tags }) => tags.includes(role)).map(({ name }) => name),
      });
    }
  }
  for (const revision of OLDER) {
    for (const role of /** @type {const} */ (['server', 'client'])) {
      const scored = all[role].filter(({ tags }) => tags.includes(revision)).map(({ name }) => name);
      const suite = role === 'client' ? ['--suite', 'all'] : [];
      const args = [...suite, '--spec-version', revision];
      sets.push({ name: `${role} ${revision}`, role, revision, args, scored, unscored: [] });
    }
  }
  for (const role of /** @type {const} */ (['server', 'client'])) {
    const covered = new Set(sets.filter((set) => set.role === role).flatMap(scenariosOf));
    for (const { name } of all[role].filter((scenario) => !covered.has(scenario.name))) {
      sets.push({
        name: `${role} extensions`,
        role,
        revision: undefined,
        args: ['--scenario', name],
        scored: [],
        unscored: [name],
      });
    }
  }
  return sets;
}

/** @param {ScenarioSet} set */
export function scenariosOf({ scored, unscored }) {
  return [...scored, ...unscored];
}

/**
 * Returns the scenarios of a listing, by their heading.
 * @param {string} text
 */
function parseList(text) {
  /** @typedef {{ name: string, tags: string[] }} Listed */
  const lists = {
    server: /** @type {Listed[]} */ ([]),
    client: /** @type {Listed[]} */ ([]),
    unscored: /** @type {Listed[]} */ ([]),
    other: /** @type {Listed[]} */ ([]),
  };
  let list = lists.other;
  for (const line of text.split('\n')) {
    const item = /^\s*- (?<name>\S+)(?: \[(?<tags>[^\]]*)\])?$/.exec(line)?.groups;
    if (item?.name !== undefined) list.push({ name: item.name, tags: item.tags?.split(',') ?? [] });
    else if (line.startsWith('Server scenarios')) list = lists.server;
    else if (line.startsWith('Client scenarios')) list = lists.client;
    else if (line.includes('never scored')) list = lists.unscored;
    else if (/^\S/.test(line)) list = lists.other;
  }
  if (lists.server.length === 0 || lists.client.length === 0) {
    throw new Error('the suite lists its scenarios in an unknown format');
  }
  return lists;
}
