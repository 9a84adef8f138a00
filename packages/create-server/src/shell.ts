/**
 * Returns the words of a command quoted for the shell of that machine, as `--print-config` of the servers does; a test
 * compares the two, since this package has no dependencies.
 */
export function shellWords(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === 'win32' ? windowsWord : posixWord).join(' ');
}

/** Returns the command that changes to a folder, also to one that looks like an option. */
export function changeDirectory(folder: string, platform: NodeJS.Platform): string {
  return shellWords(['cd', folder.startsWith('-') ? `./${folder}` : folder], platform);
}

function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function windowsWord(word: string): string {
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
  // backslashes are escapes only before a quote, also the closing one
  return `"${word.replace(/(?<!\\)(\\*)("|$)/g, (_all, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}
