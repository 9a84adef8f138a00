/** What a program does around serving. */
export interface ServeHooks {
  /** ends what belongs to the server, before the process exits */
  close(): void | Promise<void>;
  /** faults that no caller is told; one is one line */
  onError(error: unknown): void;
}
