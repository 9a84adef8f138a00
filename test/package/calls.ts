import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { article, Site } from '../../servers/fetch/test/site.ts';
import { makeShop } from './packages.ts';

/** Additional arguments of a server and of its call, and the cleanup. */
interface Furnished {
  args?: string[];
  arguments?: object;
  close?: () => Promise<void>;
}

/** A call that proves that a server works. */
export interface SmokeCall {
  /** creates the files of the call */
  furnish(home: string): Furnished | Promise<Furnished>;
  call: { name: string; arguments: object };
  /** a part of the result */
  answers: string;
}

/** One call for each server by its name; the folder is a package. */
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
