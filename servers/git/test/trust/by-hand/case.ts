import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { httpRemote } from '../../remotes/serving.ts';
import type { Difference } from './differences.ts';
import type { HandCommand, Site } from './site.ts';

/** Where a repository is opened. */
export type Place = 'main' | 'linked' | 'subfolder' | 'elsewhere' | 'bare';

/** A call of a tool, without `repo_path`. */
export type Call = readonly [tool: string, args?: Readonly<Record<string, unknown>>];

/** One case: the same work by plain git and by a tool. */
export interface Case {
  readonly name: string;
  /** where, in `npm test`; the full run does it in all places */
  readonly everyday?: readonly Place[];
  /** default: the main work tree and a linked one */
  readonly places?: readonly Place[];
  readonly prepare?: (here: Here) => void | Promise<void>;
  readonly byHand: (here: Here) => readonly HandCommand[];
  /** where git is started by hand, other than at the top */
  readonly from?: (here: Here) => string;
  readonly calls: (here: Here) => readonly Call[];
  /** the places at which git starts a program, each once; but for those that nearly every command reaches */
  readonly starts: readonly string[];
  /** done right before each of the two runs: what a copy does not keep */
  readonly before?: (here: Here) => void;
  /** nothing is changed */
  readonly reads?: true;
  /** the named differences that are met here, beside those of each run */
  readonly differs?: readonly Difference[];
  /** with what the last call fails */
  readonly fails?: string;
}

/** The repository of a case as one of its places has it. */
export class Here {
  readonly site: Site;
  readonly place: Place;
  /** where git is started by hand */
  readonly top: string;
  /** where the files are */
  readonly files: string;
  /** what is named to a tool */
  readonly path: string;
  /** the one that is checked out */
  readonly branch: string;

  constructor(site: Site, place: Place) {
    this.site = site;
    this.place = place;
    this.top = place === 'linked' ? site.linked : place === 'bare' ? site.bare : site.main;
    this.files = place === 'elsewhere' ? this.beside('files') : this.top;
    this.path = place === 'subfolder' ? join(site.main, 'sub') : this.top;
    this.branch = place === 'linked' ? 'linked' : 'main';
  }

  /** Moves the files to where they are. */
  begin(): void {
    if (this.files === this.top) return;
    mkdirSync(this.files);
    for (const name of readdirSync(this.top))
      if (name !== '.git') renameSync(join(this.top, name), join(this.files, name));
    this.set('core.worktree', '../../files');
  }

  git(...args: readonly string[]): string {
    return this.site.git(this.top, ...args).trim();
  }

  /** Has git begin what stops half-way. */
  stop(...args: readonly string[]): void {
    this.site.stop(this.top, ...args);
  }

  write(name: string, content: string): void {
    this.site.write(join(this.files, name), content);
  }

  set(key: string, value: string): void {
    this.site.set(this.top, key, value);
  }

  /** Beside the repositories, in the root. */
  beside(name: string): string {
    return join(this.site.root, name);
  }

  /** Changes a file of each filter. */
  change(): void {
    this.write('a.plain', 'changed\n');
    this.write('a.staying', 'changed\n');
  }

  stage(): void {
    this.change();
    this.git('add', '.');
  }

  /** Gives the branch a commit that no other has. */
  goAhead(): void {
    this.write('own.txt', 'own\n');
    this.git('add', 'own.txt');
    this.git('commit', '-qm', 'own');
  }

  /** Has what is in conflict with the branch `clash` be settled. */
  settle(...args: readonly string[]): void {
    this.stop(...args);
    this.write('file.txt', 'one\nboth\nthree\n');
    this.git('add', 'file.txt');
  }

  /** Has the remote be reached over HTTP, with a password. */
  async serve(): Promise<void> {
    const { address } = await httpRemote(this.site.shared, { credentials: 'ann:secret' });
    this.git('config', 'remote.origin.url', `${address}/origin.git`);
  }

  /** Has the remote be reached by ssh. */
  serveBySsh(): void {
    this.set('remote.origin.url', `ssh://host.invalid${this.site.origin}`);
  }

  /** Has git find that there is garbage to collect. */
  litter(): void {
    this.set('gc.auto', '1');
    this.set('gc.autoDetach', 'false');
    let count = 0;
    // git counts the objects of this folder alone
    for (let number = 0; count < 3; number++) {
      const text = `${number}\n`;
      const id = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
      if (!id.startsWith('17')) continue;
      const file = join(this.site.folder, 'litter');
      this.site.write(file, text);
      this.git('hash-object', '-w', '--no-filters', file);
      count += 1;
    }
  }
}
