// which workspaces npm gets, and where they come from: the repository that the package.json of the whole names
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A repository on GitHub, as npm spells it. */
const SPELLED = /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/;

/**
 * The workspaces of a checkout that are published, as paths from its top.
 * @param {string} checkout
 * @returns {string[]}
 */
export function publicWorkspaces(checkout) {
  return ['packages', 'servers']
    .filter((folder) => existsSync(join(checkout, folder)))
    .flatMap((folder) => readdirSync(join(checkout, folder)).map((name) => `${folder}/${name}`))
    .filter((workspace) => existsSync(join(checkout, workspace, 'package.json')))
    .filter((workspace) => manifestOf(checkout, workspace).private !== true);
}

/**
 * What says where a workspace comes from: to npm, which holds its provenance to it, and to the MCP registry.
 * @param {string} checkout
 * @param {string} workspace
 */
export function originOf(checkout, workspace) {
  const { url } = manifestOf(checkout).repository;
  const page = SPELLED.exec(url)?.[1];
  if (page === undefined)
    throw new Error(`package.json: repository.url is not git+https://github.com/…: ${url}`);
  return {
    npm: {
      homepage: `${page}/tree/main/${workspace}#readme`,
      repository: { type: 'git', url, directory: workspace },
      bugs: { url: `${page}/issues` },
    },
    registry: { repository: { url: page, source: 'github', subfolder: workspace } },
  };
}

/**
 * Writes that into the files of every workspace that is published; the text around it stays as it is formatted.
 * @param {string} checkout
 */
export function copyOrigin(checkout) {
  for (const workspace of publicWorkspaces(checkout)) {
    const { npm, registry } = originOf(checkout, workspace);
    put(join(checkout, workspace, 'package.json'), 'license', npm);
    const entry = join(checkout, workspace, 'server.json');
    if (existsSync(entry)) put(entry, 'description', registry);
  }
}

/**
 * Puts members behind another one at the top of a JSON file, in place of those of the same names.
 * @param {string} file
 * @param {string} before a member with a text
 * @param {object} members
 */
function put(file, before, members) {
  const names = Object.keys(members).join('|');
  const old = new RegExp(`^  "(?:${names})": (?:"[^"]*"|\\{[^}]*\\}),\\n`, 'gm');
  const lines = JSON.stringify(members, undefined, 2).split('\n').slice(1, -1).join('\n');
  const anchor = new RegExp(`^  "${before}": ".*",\\n`, 'm');
  const text = readFileSync(file, 'utf8').replace(old, '');
  writeFileSync(
    file,
    text.replace(anchor, (line) => `${line}${lines},\n`),
  );
}

/**
 * The package.json of a checkout or of one of its workspaces.
 * @param {string} checkout
 * @param {string} workspace
 */
export function manifestOf(checkout, workspace = '.') {
  return JSON.parse(readFileSync(join(checkout, workspace, 'package.json'), 'utf8'));
}
