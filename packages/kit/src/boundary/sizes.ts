/** What is smaller is read and written without a pause. */
export const smallBytes = 1024 * 1024;

/** What is larger takes the file system long to give back. */
export const largeBytes = 32 * 1024 * 1024;
