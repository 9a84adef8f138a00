/**
 * Keeps tokens and registrations between runs: texts that hold secrets, by keys that hold none. One store belongs to
 * one user; keep it where only that user can read, such as the keychain of the system.
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
 * A store that forgets everything when the process ends.
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
