/**
 * Sends the user to an authorization server and brings the answer back.
 * @example
 * const redirect: Redirection = {
 *   redirectUri: 'https://app.example/callback',
 *   authorize: async (url) => new URLSearchParams({ code: '1', state: url.searchParams.get('state') ?? '' }),
 * };
 */
export interface Redirection {
  /** where the authorization server sends the user back to */
  readonly redirectUri: string;
  /**
   * Shows the user a URL; resolves with the URL that the user came back with, or with its query.
   * The signal aborts when the client no longer waits.
   */
  authorize(url: URL, signal: AbortSignal): Promise<string | URL | URLSearchParams>;
  /** ends what `authorize` needed */
  close?(): void | Promise<void>;
}
