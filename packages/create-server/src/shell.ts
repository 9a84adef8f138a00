/**
 * Returns the words of a command as the shell of that machine reads them, as `--print-config` of the servers does; a
 * test holds the two to each other, since this package depends on none.
 */
export function shellWords(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === 'win32' ? windowsWord : posixWord).join(' ');
}

/** Returns the command that goes to a folder, also to one that looks like an option. */
export function changeDirectory(folder: string, platform: NodeJS.Platform): string {
  return shellWords(['cd', folder.startsWith('-') ? `./${folder}` : folder], platform);
}

function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function windowsWord(word: string): string {
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
  // backslashes count as escapes only where a quote follows, also the closing one
  return `"${word.replace(/(\\*)("|$)/g, (_all, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}
