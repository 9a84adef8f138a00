/**
 * Stores tokens and registrations between runs: values that contain secrets, by keys that contain none. One
 * store belongs to one user; store it where only that user can read, such as the system's keychain.
 * @example
 * const values = new Map<string, string>();
 * const store: CredentialStore = {
 *   read: (key) => values.get(key),
 *   write: (key, value) => void values.set(key, value),
 *   remove: (key) => void values.delete(key),
 * };
 */
export interface CredentialStore {
  read(key: string): string | undefined | Promise<string | undefined>;
  write(key: string, value: string): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

/**
 * Returns a store in the memory of this process.
 * @example
 * const store = memoryStore();
 * await store.write('token', 'value');
 * await store.read('token'); // => 'value'
 */
export function memoryStore(): CredentialStore {
  const values = new Map<string, string>();
  return {
    read: (key) => values.get(key),
    write: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}
