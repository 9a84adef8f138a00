import { constants } from 'node:fs';

// the types promise every flag, Windows has only some
const present: Partial<typeof constants> = constants;

/** Opens for reading, without waiting for a peer, without following a final link, without becoming a terminal's owner. */
export const readFlags = flag('O_RDONLY') | flag('O_NOFOLLOW') | flag('O_NONBLOCK') | flag('O_NOCTTY');

/** Opens a folder, not through a final link. */
export const folderFlags = flag('O_RDONLY') | flag('O_DIRECTORY') | flag('O_NOFOLLOW');

/** Makes a file that must not exist yet, for writing. */
export const newFileFlags = flag('O_WRONLY') | flag('O_CREAT') | flag('O_EXCL') | flag('O_NOFOLLOW');

function flag(
  name:
    | 'O_RDONLY'
    | 'O_WRONLY'
    | 'O_CREAT'
    | 'O_EXCL'
    | 'O_DIRECTORY'
    | 'O_NOFOLLOW'
    | 'O_NONBLOCK'
    | 'O_NOCTTY',
) {
  return present[name] ?? 0;
}
