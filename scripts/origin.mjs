// the published workspaces, and their origin: the repository that the root package.json names
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The address of a repository on GitHub, as npm writes it. */
const SPELLED = /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/;

/**
 * Returns the published workspaces of a checkout, as paths from its top.
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
 * Returns the members that name the origin of a workspace: for npm, which compares its provenance with them, and for the
 * MCP registry.
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
 * Writes these members into the files of every published workspace; the text around them stays.
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
 * Inserts members after another one at the top level of a JSON file, and removes old ones of the same names.
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
 * Reads the package.json of a checkout or of one of its workspaces.
 * @param {string} checkout
 * @param {string} workspace
 */
export function manifestOf(checkout, workspace = '.') {
  return JSON.parse(readFileSync(join(checkout, workspace, 'package.json'), 'utf8'));
}
