import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Client, connect, http, streams } from '@rootbound/protocol/client';
import { expect, onTestFinished } from 'vitest';
import type { Command } from './commands.ts';
import { document, root } from './documents.ts';
import { Examples } from './examples.ts';
import type { Household } from './household.ts';
import { expectBlock } from './updating.ts';

/** Runs a command, and compares its effect with its document. */
export type Proof = (command: Command, household: Household) => Promise<void>;

const me = { name: 'reader', version: '1.0.0', timeout: 120_000 };

interface Use {
  readonly call: string;
  readonly arguments: Record<string, unknown>;
  readonly answers: string;
}

/** A call of each server, and a text of its result which shows that it uses the folder of the command line. */
const uses: Record<string, Use> = {
  filesystem: { call: 'list_allowed_directories', arguments: {}, answers: '' },
  git: { call: 'git_status', arguments: {}, answers: 'on main, no commit yet' },
  sqlite: { call: 'read_query', arguments: { query: 'SELECT name FROM item' }, answers: 'kettle' },
  fetch: { call: 'fetch', arguments: { url: 'http://127.0.0.1/' }, answers: '--allow-private' },
};

/** The command starts a server over stdio, which uses the named folders and exits with its client. */
export const serves: Proof = async ({ line }, household) => {
  const child = household.start(line);
  const ended = once(child, 'close');
  const foreign: string[] = [];
  const pair = { input: child.stdout, output: child.stdin };
  const client = await connect(
    streams(() => pair),
    { ...me, onError: ({ message }) => foreign.push(message) },
  );
  await expectUse(client, line, household);
  await client.close();
  expect((await ended)[0]).toBe(0);
  // npm prints the script that it runs
  const printed = line.startsWith('npm start') ? ['> rootbound@', '> node scripts/start.mjs'] : [];
  expect(foreign).toEqual(printed.map((text) => expect.stringContaining(text)));
};

async function expectUse(client: Client, line: string, household: Household): Promise<void> {
  const name = /server-(\w+)|servers\/(\w+)|start -- (\w+)/.exec(line)!.slice(1).find(Boolean)!;
  expect(client.serverInfo?.name).toBe(`rootbound-${name}`);
  const use = uses[name]!;
  const result = await client.callTool(use.call, use.arguments);
  const content = household.there(JSON.stringify(result.content));
  const folders = name === 'filesystem' ? (line.match(/(?<= ~|\/home\/you)\/[\w-]+(?=:ro| |$)/g) ?? []) : [];
  for (const wanted of [use.answers, ...folders]) expect(content).toContain(wanted);
}

/** The command starts a server at the address that its document names, which exits at SIGTERM. */
export const listens: Proof = async ({ page, line }, household) => {
  const port = /--http (\d+)/.exec(line)![1]!;
  // a free port: the one of the document may be in use
  const folder = page.includes('template') ? join(root, page, '..') : undefined;
  const child = household.start(`exec ${line.replace(`--http ${port}`, '--http 0')}`, folder);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const url = await listeningAt(createInterface(child.stderr));
  const client = await connect(http(new URL(url)), me);
  expect((await client.listTools()).length).toBeGreaterThan(0);
  await client.close();
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  expect(document(page).text).toContain(`\`${url.replace(/(?<=:)\d+(?=\/)/, port)}\``);
};

async function listeningAt(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /^listening on (.*)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it listened');
}

/** The command prints the JSON of the next block. */
export const printsJson: Proof = async ({ line, nextBlock = '' }, household) => {
  const { status, stdout } = await household.run(line);
  expect([status, JSON.parse(stdout)]).toEqual([0, JSON.parse(nextBlock)]);
};

/** The command of the template prints the entry of a client, or the help, without starting a server. */
export const printsOnly: Proof = async ({ page, line }, household) => {
  const { status, stdout } = await household.run(line, join(root, page, '..'));
  expect([status, stdout]).toEqual([0, expect.stringMatching(/"mcpServers"|^ +--http /m)]);
};

/** The command succeeds and prints the checks of its transcript, except for those that depend on the machine. */
export const printsChecks: Proof = async ({ line, prints }, household) => {
  const { status, stdout } = await household.run(line);
  expect([status, checksIn(stdout)]).toEqual([0, checksIn(prints ?? '')]);
};

/** Returns the checks without limits, names and numbers of this machine. */
function checksIn(text: string): string[] {
  const own = process.platform === 'linux' ? /watch|at once/ : /watch|at once|containment/;
  return text
    .split('\n')
    .filter((line) => !own.test(line))
    .map((line) => withoutNumbers(line).replace(/,? on [\w. -]+$/, ''));
}

/** The command runs the tour, whose first era is the block of the README; numbers differ in each run. */
export const runsTour: Proof = async ({ line }, household) => {
  const { status, stdout } = await household.run(line);
  expect([status, stdout]).toEqual([0, expect.stringContaining('\n  Stateless era')]);
  const [first = ''] = stdout.slice(stdout.indexOf('\n  Rootbound') + 1).split('\n  Stateless era');
  // where a line is broken depends on the length of the path of the checkout
  const mask = (text: string): string => withoutNumbers(text.replaceAll(/\n {16}(?:│ )?/g, ' '));
  expectBlock('README.md', 'text tour', `${first.trimEnd()}\n`, mask);
};

function withoutNumbers(line: string): string {
  return line.replaceAll(/(?<![\w-])\d[\d,.]*(?![\w-])/g, 'N');
}

/** The arguments after `--` of a client's command line start a server; the client itself is not run. */
export const adds: Proof = async (command, household) => {
  const { status, stdout } = await household.run(command.line);
  const [mcp, add, name, dashes, ...line] = stdout.trimEnd().split('\n');
  expect([status, mcp, add, name, dashes]).toEqual([0, 'mcp', 'add', expect.stringMatching(/^\w+$/), '--']);
  await serves({ ...command, line: line.join(' ') }, household);
};

/** The command creates a project in the named folder, and installs it. */
export const makes: Proof = async ({ line }, household) => {
  const name = /(?:\.\.\/|server )([\w-]+)/.exec(line)![1]!;
  const folder = line.startsWith('npm run') ? undefined : household.home;
  const made = join(household.home, name);
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  const { status, stderr } = await household.run(line, folder);
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  const manifest = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')) as { name: string };
  expect(manifest.name).toBe(/--name (\S+)/.exec(line)?.[1] ?? name);
  expect(existsSync(join(made, 'node_modules', '@rootbound', 'protocol'))).toBe(true);
  if (line.includes('--transport http'))
    expect(readFileSync(join(made, '.mcp.json'), 'utf8')).toContain('http://127.0.0.1');
};

/** The command prints its transcript, in a folder with the programs of the document. */
export const printsBeside: Proof = async ({ page, line, prints }, household) => {
  const examples = new Examples(document(page));
  onTestFinished(() => examples.remove());
  await examples.build();
  const { status, stdout } = await household.run(line, examples.folder);
  expect([status, stdout]).toEqual([0, prints]);
};
