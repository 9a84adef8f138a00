/** The functions of a program around serving. */
export interface ServeHooks {
  /** closes the server's resources before the process exits */
  close(): void | Promise<void>;
  /** receives faults that no caller gets; each is one line */
  onError(error: unknown): void;
}
