import type { Command } from '../../src/run/command.ts';
import { findGit } from '../../src/run/git.ts';
import { run } from '../../src/run/run.ts';
import { cleanEnvironment, placeOf } from '../scratch.ts';

const git = findGit({ environment: cleanEnvironment() });

/** Returns the output of git for one of our commands in a folder that is a repository's top, or bare. */
export async function printed(folder: string, command: Command, okay?: readonly number[]): Promise<Buffer> {
  return (await run(git, command, { place: placeOf(folder), okay })).stdout;
}
