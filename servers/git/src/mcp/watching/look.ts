import { createHash, hash } from 'node:crypto';
import { join } from 'node:path';
import type { Scope } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Repositories } from '../../call/repositories.ts';
import { changesCommand } from '../../porcelain/diff.ts';
import type { Repository } from '../../repository/repository.ts';
import { askGit } from './from-git.ts';
import { RefFiles } from './ref-files.ts';
import { wayTo } from './repository-paths.ts';
import { operationsWord, stashWord } from './state-texts.ts';
import { lookAtStatus, lookAtWhole } from './status.ts';
import { Trace } from './trace.ts';
import type { Look, PathKind, Seen, Watched } from './watched.ts';

export interface LookOptions {
  readonly repositories: Repositories;
  readonly scope: Scope;
  /** in the repository */
  readonly path: string;
  readonly watched: Watched;
  readonly signal: AbortSignal;
}

/**
 * Returns a function that looks at one target: it opens the repository anew each time, and a refusal is a state, too.
 */
export function lookFor(options: LookOptions): () => Promise<Look> {
  const { repositories, scope, path } = options;
  let way: ReadonlyMap<string, PathKind> = new Map();
  return async () => {
    way = wayTo(scope, path) ?? way;
    try {
      const repository = repositories.open(scope, path);
      way = wayTo(scope, path, repository) ?? way;
      const trace = new Trace(repository.reach);
      for (const [each, kind] of way) trace.add(each, kind);
      const { word, files } = await read(options, repository, trace);
      return { word: hash('sha256', word), paths: trace.paths, ...defined({ files }) };
    } catch (error) {
      // the path leads elsewhere now, git was stopped or took too long: no answer at all
      if (!(error instanceof ToolError) || error.retryable || error.code === 'cancelled') throw error;
      return { word: `refused: ${error.code}`, paths: way };
    }
  };
}

async function read(options: LookOptions, repository: Repository, trace: Trace): Promise<Seen> {
  const { repositories, scope, path, watched, signal } = options;
  const use = <T>(work: (opened: Opened) => Promise<T>): Promise<T> =>
    repositories.use(scope, path, signal, work);
  const { place, commonDir } = repository;
  const refs = new RefFiles(trace, repository);
  const orAsked = async (word: string): Promise<Seen> => ({
    word: trace.unusual ? await use((opened) => askGit(opened, watched)) : word,
  });
  switch (watched.kind) {
    case 'head':
      return orAsked(refs.value('HEAD'));
    case 'ref':
      return orAsked(refs.value(watched.ref!));
    case 'refs':
      return orAsked(refs.value('HEAD') + refs.all());
    case 'stash':
      return orAsked(stashWord(trace, refs, commonDir));
    case 'operation':
      return { word: operationsWord(trace, place.gitDir) };
    case 'index':
      trace.add(join(place.gitDir, 'index'));
      refs.value('HEAD');
      return { word: await use(stagedWord) };
    case 'status':
      return use((opened) => lookAtStatus(opened, trace, refs));
    case 'repository':
      return use((opened) => lookAtWhole(opened, trace, refs));
  }
}

/** Returns a digest of the staged changes: the resource's content, which a commit of other changes leaves as it is. */
async function stagedWord(opened: Opened): Promise<string> {
  const staged = createHash('sha256');
  const { chunks, finished } = opened.stream(changesCommand({ sides: { kind: 'staged' } }));
  for await (const chunk of chunks) staged.update(chunk);
  await finished;
  return staged.digest('hex');
}
