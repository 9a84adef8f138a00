import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ToolError } from '@rootbound/protocol';
import { protocolOf } from '../../call/protocols.ts';
import { toUrl, type Url } from '../../run/operand.ts';

/** Returns whether a caller means an address and not the name of a remote. */
export function isAddress(text: string): boolean {
  return /[/:\\]/.test(text);
}

/** Returns a caller's address for git: a path becomes the URL of its folder. */
export function addressOf(text: string, base: string | undefined): Url {
  if (/^[a-z][a-z\d+.-]*:\/\/[^/?#:]*:[^/?#]*@/i.test(text)) throw holdsPassword();
  if (text.startsWith('-') || protocolOf(text) !== 'file' || text.startsWith('file:'))
    return withPath(toUrl(text));
  if (base === undefined && !isAbsolute(text)) {
    throw new ToolError('the path of the other repository is not absolute', { code: 'invalid-url' });
  }
  return toUrl(pathToFileURL(base === undefined ? text : resolve(base, text)).href);
}

/** Returns the folder of an address without a host, as git finds it from `base`. */
export function folderOf(address: string, base: string): string {
  if (!address.startsWith('file://')) return resolve(base, address);
  try {
    return fileURLToPath(address);
  } catch (error) {
    throw new ToolError('not the address of a folder', { code: 'invalid-url', cause: error });
  }
}

/** a folder of old gits holds remotes by any name without a slash, and git would look there for such an address */
function withPath(url: Url): Url {
  if (url.includes('/')) return url;
  throw new ToolError('the address has no slash in it', {
    code: 'invalid-url',
    hint: 'use ssh://user@host/path',
  });
}

function holdsPassword(): ToolError {
  return new ToolError('the address holds a password, which git would keep in the open', {
    code: 'invalid-url',
    hint: 'leave it out: a credential helper of the operator or an ssh agent gives it to git',
  });
}
