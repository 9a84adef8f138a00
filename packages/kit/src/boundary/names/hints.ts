/** Returns an alternative to a path that leads nowhere, from its text alone so that it reveals nothing else. */
export function missHint(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (/^~[^/\\]/.test(path))
    return 'only ~ alone is the home folder; write the folder of another user in full';
  if (platform !== 'win32' && /\\(?:x[\da-f]{2}|u[\da-f]{4}|[nrt])/.test(path))
    return String.raw`a name shown with escapes is written as a file:// URI, with %XX for \xXX and %0A for \n`;
  return undefined;
}

/** Returns why an absolute path of Windows is none here. */
export function foreignHint(path: string): string {
  const drive = /^([a-z]):[\\/]*(.*)$/is.exec(path);
  if (drive === null) return 'it is a path of Windows, and this server does not run there';
  const below = drive[2]!.replaceAll('\\', '/');
  return `it is a path of Windows, and this server does not run there; under WSL it is /mnt/${drive[1]!.toLowerCase()}/${below}`;
}
