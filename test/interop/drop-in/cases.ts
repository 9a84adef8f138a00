import { changes } from './changes.ts';
import { listings } from './listings.ts';
import { paths } from './paths.ts';
import { reads } from './reads.ts';

/** The folder of a case on one side, its root, and the folder beside the root. */
export interface At {
  folder: string;
  /** the folder's path below the root */
  below: string;
  root: string;
  outside: string;
}

/** One call of a tool that the official server lists, with arguments that its schema allows. */
export interface Case {
  name: string;
  tool: string;
  args(at: At): Record<string, unknown>;
}

/** The tools that change files: each of their cases has a folder of its own. */
export const changing: readonly string[] = ['write_file', 'edit_file', 'create_directory', 'move_file'];

export const cases: readonly Case[] = [
  ...paths,
  ...reads,
  ...listings,
  ...changes,
  { name: 'list_allowed_directories', tool: 'list_allowed_directories', args: () => ({}) },
];
