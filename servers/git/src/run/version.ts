import { ToolError } from '@rootbound/protocol';

export interface Version {
  /** as git prints it, such as `2.39.5` or `2.47.1.windows.1` */
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}

/** Parses `git version 2.39.5 (Apple Git-154)`. */
export function readVersion(output: string): Version {
  const [, text, major, minor] = /^git version ((\d+)\.(\d+)\S*)/.exec(output) ?? [];
  if (text === undefined) throw new ToolError('the git on PATH is another program', { code: 'no-git' });
  return { text, major: Number(major), minor: Number(minor) };
}

/** Returns whether this git is at least `2.45`. */
export function isAtLeast({ major, minor }: Version, wanted: `${number}.${number}`): boolean {
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  return major > wantedMajor! || (major === wantedMajor && minor >= wantedMinor!);
}
