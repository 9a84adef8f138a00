import { changes } from './changes.ts';
import { listings } from './listings.ts';
import { paths } from './paths.ts';
import { reads } from './reads.ts';

/** Where a case happens: its folder on one side, and the root and what is beside that. */
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
