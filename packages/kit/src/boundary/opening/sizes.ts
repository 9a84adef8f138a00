/** Bytes; smaller content is read and written without a pause. */
export const smallBytes = 1024 * 1024;

/** Bytes; the file system takes long to free larger files. */
export const largeBytes = 32 * 1024 * 1024;
