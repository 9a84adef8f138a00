// the commands of each picture, and their exit statuses

import { Home } from './home.mjs';
import { drawing } from './svg.mjs';
import { Terminal } from './terminal.mjs';

/** @typedef {{ name: string, title: string, steps: [line: string, status: number][] }} Scene */

const inspect = 'npx -y @rootbound/protocol inspect';
const filesystem = 'npx -y @rootbound/server-filesystem ~/code';
const git = 'npx -y @rootbound/server-git ~/code';
const sqlite = 'npx -y @rootbound/server-sqlite --db-path shop.db ~/code';
const fetch = 'npx -y @rootbound/server-fetch';

/** @type {Scene[]} */
export const scenes = [
  {
    name: 'filesystem',
    title: 'The filesystem server in a terminal: a search, an edit, and a refusal',
    steps: [
      [`${inspect} --call search_content --arg path=src --arg pattern=boil -- ${filesystem}`, 0],
      [
        `${inspect} --call edit_file --arg path=README.md --arg 'edits=[{"oldText":"water","newText":"tea"}]' -- ${filesystem}`,
        0,
      ],
      [`${inspect} --call read_text_file --arg path=/etc/passwd -- ${filesystem}`, 1],
    ],
  },
  {
    name: 'git',
    title: 'The git server in a terminal: a repository whose hook is kept from running, and a commit',
    steps: [
      [`${inspect} --call git_overview -- ${git}`, 0],
      [`${inspect} --call git_add --arg 'files=["src/boil.js"]' -- ${git}`, 0],
      [`${inspect} --call git_commit --arg 'message=Stop in time' -- ${git}`, 0],
    ],
  },
  {
    name: 'sqlite',
    title: 'The SQLite server in a terminal: an import, a query, a change that can be undone, and a refusal',
    steps: [
      [
        `${inspect} --call import_data --arg path=sales.csv --arg table=sale --arg create=true -- ${sqlite}`,
        0,
      ],
      [
        `${inspect} --call read_query --arg 'query=SELECT item, cents * sold AS cents FROM sale' -- ${sqlite}`,
        0,
      ],
      [
        `${inspect} --call write_query --arg 'query=UPDATE sale SET cents = 4100 WHERE cents = 3900' -- ${sqlite}`,
        0,
      ],
      [`${inspect} --call read_query --arg "query=ATTACH '/etc/other.db' AS other" -- ${sqlite}`, 1],
    ],
  },
  {
    name: 'fetch',
    title: 'The fetch server in a terminal: the main content of a page as Markdown, and a refusal',
    steps: [
      [
        `${inspect} --call fetch --arg url=http://localhost:8000/kettles.html -- ${fetch} --allow-private localhost:8000`,
        0,
      ],
      [`${inspect} --call fetch --arg url=http://169.254.169.254/latest/meta-data -- ${fetch}`, 1],
    ],
  },
  {
    name: 'inspect',
    title: 'inspect in a terminal: what a server has, a call of its tool, and how it keeps the specification',
    steps: [
      [`${inspect} -- node server.js`, 0],
      [`${inspect} --call add --arg a=1 --arg b=2 -- node server.js`, 0],
      [`${inspect} --check --quiet -- node server.js`, 0],
    ],
  },
];

/**
 * Runs the commands of a scene.
 * @param {Scene} scene
 * @returns {Promise<{ svg: string, statuses: (number | null)[] }>} the picture, and the exit status of each command
 */
export async function record({ title, steps }) {
  const home = await new Home().prepare();
  try {
    const terminal = new Terminal({ cwd: home.code, env: home.environment, names: home.names });
    const statuses = [];
    for (const [line] of steps) statuses.push(await terminal.run(home.here(line)));
    return { svg: drawing(title, terminal.rows()), statuses };
  } finally {
    home.remove();
  }
}
