import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { article, Site } from '../../servers/fetch/test/site.ts';
import { makeShop } from './packages.ts';

/** What a server is started with besides the folder, what its call takes besides, and what ends it all. */
interface Furnished {
  args?: string[];
  arguments?: object;
  close?: () => Promise<void>;
}

/** A call of a real tool on a folder, by which a server shows that it works. */
export interface SmokeCall {
  /** puts there what the call is about */
  furnish(home: string): Furnished | Promise<Furnished>;
  call: { name: string; arguments: object };
  /** what the answer holds */
  answers: string;
}

/** One call for each server, by the server's name; the folder is a package. */
export const smokeCalls: Record<'filesystem' | 'git' | 'sqlite' | 'fetch', SmokeCall> = {
  filesystem: {
    furnish: () => ({}),
    call: { name: 'search_content', arguments: { path: '.', pattern: '"private"' } },
    answers: 'package.json',
  },
  git: {
    furnish(home) {
      execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: home });
      return {};
    },
    call: { name: 'git_status', arguments: {} },
    answers: 'on main, no commit yet',
  },
  sqlite: {
    furnish(home) {
      makeShop(join(home, 'shop.db'));
      return {};
    },
    call: { name: 'read_query', arguments: { query: 'SELECT name FROM item' } },
    answers: 'kettle',
  },
  fetch: {
    async furnish() {
      const site = await new Site().start();
      const url = site.page('/kettles', article(1));
      return { args: ['--allow-private', site.host], arguments: { url }, close: () => site.close() };
    },
    call: { name: 'fetch', arguments: {} },
    answers: 'Section 0 speaks of kettles',
  },
};
