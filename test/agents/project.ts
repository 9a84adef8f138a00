import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkDriver, makeShop, packAll } from '../package/packages.ts';
import type { Call } from './model.ts';

/** A call of one server, and a text that only its result has. */
export interface Task extends Call {
  readonly finds: string;
}

export const servers = ['filesystem', 'git', 'sqlite', 'fetch'] as const;
export type ServerName = (typeof servers)[number];

const listing = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

/** Creates a project with data for every server, in which the packed servers are installed. */
export class Project {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-agents-')));
  readonly project = join(this.folder, 'project');
  readonly data = join(this.project, 'data');

  constructor() {
    mkdirSync(this.data, { recursive: true });
    writeFileSync(join(this.data, 'note.txt'), 'the lighthouse keeper\n');
    makeShop(join(this.data, 'shop.db'));
    this.#makeRepository(join(this.data, 'repository'));
    writeFileSync(join(this.project, 'package.json'), '{"private":true}');
    const tarballs = packAll(
      servers.map((name) => `@rootbound/server-${name}`),
      join(this.folder, 'tarballs'),
    );
    const quiet = ['--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', ['install', '--offline', '--omit=optional', ...quiet, ...tarballs], {
      cwd: this.project,
    });
    linkDriver(this.project);
  }

  /** Returns one call for each server; `site` is the address of the site. */
  tasks(site: string): Record<ServerName, Task> {
    return {
      filesystem: {
        server: 'filesystem',
        tool: 'read_text_file',
        arguments: { path: join(this.data, 'note.txt') },
        finds: 'the lighthouse keeper',
      },
      git: {
        server: 'git',
        tool: 'git_log',
        arguments: { repo_path: join(this.data, 'repository') },
        finds: 'light the lamp',
      },
      sqlite: {
        server: 'sqlite',
        tool: 'read_query',
        arguments: { query: 'SELECT name FROM item' },
        finds: 'kettle',
      },
      fetch: {
        server: 'fetch',
        tool: 'fetch',
        arguments: { url: `${site}/tides` },
        finds: 'high water at noon',
      },
    };
  }

  /** Returns the output of `--print-config` of an installed server; `site` is the address of the site. */
  printConfig(server: ServerName, client: string, site: string): string {
    const { host, port } = new URL(site);
    const access = server === 'fetch' ? ['--allow-private', host, '--allow-port', port] : [];
    const args = [this.#program(server), '--print-config', client, ...access, this.data];
    return execFileSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** Returns the tool names of a server. */
  toolsOf(server: ServerName): string[] {
    const listed = execFileSync(process.execPath, [this.#program(server), this.data], {
      input: `${JSON.stringify(listing)}\n`,
      encoding: 'utf8',
    });
    const { result } = JSON.parse(listed) as { result: { tools: { name: string }[] } };
    return result.tools.map(({ name }) => name);
  }

  /** Creates an empty home. */
  home(name: string): string {
    const path = join(this.folder, 'homes', name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #program(server: ServerName): string {
    return join(this.project, 'node_modules', '@rootbound', `server-${server}`, 'dist', 'cli.js');
  }

  #makeRepository(path: string): void {
    const git = (...args: string[]): Buffer => execFileSync('git', ['-C', path, ...args]);
    mkdirSync(path);
    git('init', '-q', '-b', 'main');
    const keeper = ['-c', 'user.name=Keeper', '-c', 'user.email=keeper@example.org'];
    git(...keeper, 'commit', '-q', '--allow-empty', '-m', 'light the lamp');
  }
}

/** Creates a site with one page. */
export function makeSite(): Server {
  return createServer((request, response) => {
    const isPage = request.url === '/tides';
    response
      .writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
      .end(isPage ? '<!doctype html><title>Tides</title><p>high water at noon</p>' : '');
  });
}
