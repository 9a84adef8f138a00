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

/** The version of a package of ours, by its name without the scope. */
export function versionOf(name: string): string {
  const workspace = name.startsWith('server-') ? name.replace('server-', 'servers/') : `packages/${name}`;
  const manifest = readFileSync(join(root, workspace, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Packs a workspace as it is published, into a folder without another tarball: the file. */
export function pack(workspace: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  // npm would leave workspace: versions as they are
  execFileSync('npx', ['--yes', packageManager, 'pack', '--pack-destination', folder], {
    cwd: workspace,
    stdio: 'ignore',
  });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
}

/** Packs workspaces, which pnpm's filters name, as they are published: the files. */
export function packAll(filters: readonly string[], folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const args = [...filters.map((filter) => `--filter=${filter}`), 'pack', '--pack-destination', folder];
  execFileSync('npx', ['--yes', packageManager, ...args], { cwd: root, stdio: 'ignore' });
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Puts the workspace's driver of this Node where an installation in `home` finds it. */
export function linkDriver(home: string): void {
  const name = driverPackage();
  const target = join(home, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(realpathSync(dirname(sqlite.resolve(`${name}/package.json`))), target);
}

/** A database with one table, `item`, in which there is a kettle. */
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

/** Starts a server for one call. */
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
  // what pnpm puts there would let it find the packages of the workspace
  const { NODE_PATH: _, ...env } = process.env;
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${JSON.stringify(question)}\n`);
  const { result } = JSON.parse(await text(child.stdout)) as {
    result: { isError?: boolean; content: object[] };
  };
  return { failed: result.isError ?? false, text: JSON.stringify(result.content) };
}

/** Starts a server for one call, after a handshake as clients of revision 2025-11-25 make it. */
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
  // a program that is gone says why on stderr
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

/** The packages that an installation consists of, by name, and what they take on the disk, in MiB. */
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
