import { constants } from 'node:fs';

// the types promise every flag, Windows has only some
const present: Partial<typeof constants> = constants;

// O_NOFOLLOW_ANY of macOS, which node:fs does not name: no link anywhere in the path. All that these flags open there
// is a real path, so one that has become a link since it was resolved is refused by the kernel
const noFollow = process.platform === 'darwin' ? 0x2000_0000 : flag('O_NOFOLLOW');

/**
 * Flags that open for reading, without waiting for a peer, without following a final link, without becoming a
 * terminal's owner.
 */
export const readFlags = flag('O_RDONLY') | noFollow | flag('O_NONBLOCK') | flag('O_NOCTTY');

/** Flags that open a folder, not through a final link. */
export const folderFlags = flag('O_RDONLY') | flag('O_DIRECTORY') | noFollow;

/** Flags that create a file that must not exist, for writing and reading it again. */
export const newFileFlags = flag('O_RDWR') | flag('O_CREAT') | flag('O_EXCL') | noFollow;

/** Flags that open a file to read it and to overwrite it, without waiting for a peer. */
export const changeFlags = flag('O_RDWR') | noFollow | flag('O_NONBLOCK') | flag('O_NOCTTY');

/** Flags that open a file to read it and to append, without waiting for a peer. */
export const appendFlags =
  flag('O_RDWR') | flag('O_APPEND') | noFollow | flag('O_NONBLOCK') | flag('O_NOCTTY');

function flag(
  name:
    | 'O_RDWR'
    | 'O_APPEND'
    | 'O_RDONLY'
    | 'O_CREAT'
    | 'O_EXCL'
    | 'O_DIRECTORY'
    | 'O_NOFOLLOW'
    | 'O_NONBLOCK'
    | 'O_NOCTTY',
) {
  return present[name] ?? 0;
}
