import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { driverPackage } from '../../servers/sqlite/src/lane/driver.ts';

export const root = join(import.meta.dirname, '..', '..');
const sqlite = createRequire(join(root, 'servers', 'sqlite', 'package.json'));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  packageManager: string;
};

/** Returns the version of one of our packages by its name without the scope. */
export function versionOf(name: string): string {
  const workspace = name.startsWith('server-') ? name.replace('server-', 'servers/') : `packages/${name}`;
  const manifest = readFileSync(join(root, workspace, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Packs a workspace as it is published, into a folder without tarballs; returns the file. */
export function pack(workspace: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  // npm does not replace workspace: versions
  execFileSync('npx', ['--yes', packageManager, 'pack', '--pack-destination', folder], {
    cwd: workspace,
    stdio: 'ignore',
  });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
}

/** Packs workspaces, selected by pnpm filters, as they are published; returns the files. */
export function packAll(filters: readonly string[], folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const args = [...filters.map((filter) => `--filter=${filter}`), 'pack', '--pack-destination', folder];
  execFileSync('npx', ['--yes', packageManager, ...args], { cwd: root, stdio: 'ignore' });
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Links the workspace's driver for this Node so that an installation in `home` finds it. */
export function linkDriver(home: string): void {
  const name = driverPackage();
  const target = join(home, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(realpathSync(dirname(sqlite.resolve(`${name}/package.json`))), target);
}

/** Creates a database with a table `item` that has one row, a kettle. */
export function makeShop(path: string): void {
  const Driver = sqlite(driverPackage()) as new (path: string) => { exec(sql: string): void; close(): void };
  const shop = new Driver(path);
  shop.exec(
    "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item (name) VALUES ('kettle')",
  );
  shop.close();
}

export interface Answer {
  readonly failed: boolean;
  /** the content as JSON */
  readonly text: string;
}

/** Starts a server for one stateless call. */
export async function ask(command: string, args: readonly string[], call: object): Promise<Answer> {
  const question = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      ...call,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  // pnpm's NODE_PATH would let it find the packages of the workspace
  const { NODE_PATH: _, ...env } = process.env;
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${JSON.stringify(question)}\n`);
  const { result } = JSON.parse(await text(child.stdout)) as {
    result: { isError?: boolean; content: object[] };
  };
  return { failed: result.isError ?? false, text: JSON.stringify(result.content) };
}

/** Starts a server for one call after a handshake of revision 2025-11-25. */
export async function askAfterHandshake(
  [command, ...args]: readonly [string, ...string[]],
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  call: object,
): Promise<Answer> {
  const child = spawn(command, args, where);
  const complaint = text(child.stderr);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object): unknown =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answer = async (id: number): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`${command} ${args.join(' ')} ended: ${await complaint}`);
      const message = JSON.parse(value) as { id?: number; result: Record<string, unknown> };
      if (message.id === id) return message.result;
    }
  };
  // a program that exited printed the reason on stderr
  child.stdin.on('error', () => {});
  const clientInfo = { name: 'installer', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params });
  const { protocolVersion } = await answer(1);
  if (protocolVersion !== '2025-11-25') throw new Error(`the server speaks ${String(protocolVersion)}`);
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: call });
  const { isError, content } = await answer(2);
  child.stdin.end();
  await complaint;
  return { failed: isError === true, text: JSON.stringify(content) };
}

/** Returns the packages of an installation by name, and their size on disk in MiB. */
export function weigh(home: string): { names: string[]; mib: number } {
  const modules = join(home, 'node_modules');
  const names = readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => `${name}/${one}`) : [name],
    );
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return { names, mib: bytes / 1024 ** 2 };
}
