import { join } from 'node:path';
import { type Scratch, scratch } from '../scratch.ts';

/** A repository of one commit, in which the server knows whose its commits are. */
export interface Made extends Scratch {
  /** an object's name */
  oid(revision: string): string;
  /** what git prints, without the newline at its end */
  say(...args: string[]): string;
  /** `git status --porcelain`, a line for each path */
  status(): string[];
}

export interface MadeOptions {
  readonly init?: readonly string[];
  /** no commit, and nothing staged */
  readonly unborn?: boolean;
}

export function made({ init = [], unborn = false }: MadeOptions = {}): Made {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q', ...init);
  git(folder, 'config', 'user.name', 'Ann Example');
  git(folder, 'config', 'user.email', 'ann@example.org');
  const say = (...args: string[]) =>
    git(folder, ...args)
      .toString()
      .trimEnd();
  if (!unborn) {
    write('a', 'one\n');
    write('b', numbered(20));
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'first');
  }
  return {
    ...{ folder, git, write, say },
    oid: (revision) => say('rev-parse', revision),
    status: () => say('status', '--porcelain').split('\n').filter(Boolean),
  };
}

/** Lines with their numbers; those in `other` are different. */
export function numbered(count: number, ...other: number[]): string {
  const line = (number: number) => `line ${number}${other.includes(number) ? ' changed' : ''}\n`;
  return Array.from({ length: count }, (_, index) => line(index + 1)).join('');
}

/** A hook of a repository. */
export function hook({ write }: Made, name: string, ...lines: string[]): void {
  write(join('.git', 'hooks', name), `#!/bin/sh\n${lines.join('\n')}\n`, 0o755);
}
