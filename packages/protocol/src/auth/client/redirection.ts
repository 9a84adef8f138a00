/**
 * Sends the user to an authorization server and receives the response.
 * @example
 * const redirect: Redirection = {
 *   redirectUri: 'https://app.example/callback',
 *   authorize: async (url) => new URLSearchParams({ code: '1', state: url.searchParams.get('state') ?? '' }),
 * };
 */
export interface Redirection {
  /** the URL to which the authorization server sends the user back */
  readonly redirectUri: string;
  /**
   * Shows the user a URL; resolves with the URL of the response, or with its query. The signal aborts when
   * the client no longer waits.
   */
  authorize(url: URL, signal: AbortSignal): Promise<string | URL | URLSearchParams>;
  /** releases the resources of `authorize` */
  close?(): void | Promise<void>;
}
