// pages of clients that use the filesystem server
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../setup.mjs';
import { Home } from './home.mjs';
import { freePort, pictureOf, whileRunning } from './page.mjs';

/** @typedef {{ name: string, take: () => Promise<Buffer> }} Screen */

/**
 * Returns the pictures of pages; that of VS Code needs the program of code-server.
 * @param {string | undefined} codeServer
 * @returns {Screen[]}
 */
export function screensWith(codeServer) {
  const editor = codeServer === undefined ? [] : [{ name: 'vscode', take: () => takeEditor(codeServer) }];
  return [{ name: 'inspector', take: takeInspector }, ...editor];
}

/** Takes a picture of the official inspector after a call of a tool. */
async function takeInspector() {
  const interop = createRequire(join(root, 'test', 'interop', 'package.json'));
  const folder = dirname(interop.resolve('inspector-handshake/package.json'));
  const home = await new Home().prepare();
  const [pages, proxy] = [await freePort(), await freePort()];
  const token = 'a picture';
  const query = new URLSearchParams({
    MCP_PROXY_PORT: proxy,
    MCP_PROXY_AUTH_TOKEN: token,
    transport: 'stdio',
    serverCommand: 'npx',
    serverArgs: '-y @rootbound/server-filesystem .',
  });
  const ports = { CLIENT_PORT: pages, SERVER_PORT: proxy };
  const own = { ...ports, MCP_PROXY_AUTH_TOKEN: token, MCP_AUTO_OPEN_ENABLED: 'false' };
  const program = join(folder, 'client', 'bin', 'start.js');
  const surroundings = { cwd: home.code, env: { ...home.environment, ...own } };
  try {
    return await whileRunning(process.execPath, [program], surroundings, /up and running/, () =>
      pictureOf(`http://localhost:${pages}/?${query}`, { width: 1280, height: 860 }, async (page) => {
        await page.getByRole('button', { name: 'Connect' }).click();
        await page.getByRole('tab', { name: 'Tools' }).click();
        await page.getByRole('button', { name: 'List Tools' }).click();
        await page.getByText('List directory', { exact: true }).click();
        await page.getByLabel('path').first().fill('src');
        await page.getByRole('button', { name: 'Run Tool' }).click();
        await page.getByText('Structured Content').first().scrollIntoViewIfNeeded();
      }),
    );
  } finally {
    home.remove();
  }
}

/**
 * Takes a picture of VS Code in a browser, with the server running and its state.
 * @param {string} program code-server
 */
async function takeEditor(program) {
  const home = await new Home().prepare();
  const port = await freePort();
  const entry = { type: 'stdio', command: 'npx', args: ['-y', '@rootbound/server-filesystem'] };
  const settings = {
    'workbench.startupEditor': 'none',
    'chat.mcp.autostart': 'never',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'editor.minimap.enabled': false,
  };
  keep(join(home.code, '.vscode'), 'mcp.json', { servers: { filesystem: entry } });
  keep(join(home.home, '.local/share/code-server/User'), 'settings.json', settings);
  // it asks a shell for the PATH
  writeFileSync(join(home.home, '.profile'), `export PATH='${home.environment.PATH}'\n`);
  const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'];
  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, ...quiet];
  const surroundings = { cwd: home.code, env: home.environment };
  try {
    return await whileRunning(program, args, surroundings, /HTTP server listening/, () =>
      pictureOf(
        `http://127.0.0.1:${port}/?folder=${home.code}`,
        { width: 1200, height: 640 },
        async (page) => {
          await page.getByText('.vscode', { exact: true }).click();
          await page.getByText('mcp.json', { exact: true }).click();
          const above = page.locator('.codelens-decoration a');
          await above.getByText('Start').click();
          await above.getByText('Running').click();
          await page.locator('.view-line', { hasText: 'Discovered' }).waitFor();
        },
      ),
    );
  } finally {
    home.remove();
  }
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {object} value
 */
function keep(folder, name, value) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}
