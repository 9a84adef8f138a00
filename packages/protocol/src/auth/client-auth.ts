/**
 * The parts of a response that describe the required credentials.
 * @example
 * const wantsScope = ({ status, header }: ChallengedResponse): boolean =>
 *   status === 403 && header('www-authenticate')?.includes('insufficient_scope') === true;
 */
export interface ChallengedResponse {
  readonly status: number;
  /** the URL of the request */
  readonly url: URL;
  /** returns a header of the response by its lower-case name */
  header(name: string): string | undefined;
  /** the protocol revision, if it is known */
  readonly revision: string | undefined;
  /** the result of `headers` for the request; it distinguishes a refused token from one that was renewed since */
  readonly sent?: Readonly<Record<string, string>> | undefined;
}

/**
 * Adds credentials to the requests to one server, and handles its challenges.
 * @example
 * const auth: ClientAuth = {
 *   headers: async () => ({ Authorization: `Bearer ${process.env.TOKEN ?? ''}` }),
 *   challenged: async () => false,
 * };
 * http('https://mcp.example.com/mcp', { auth });
 */
export interface ClientAuth {
  /** Returns the headers to add to a request, by lower-case name; waits for a flow in progress. */
  headers(request: { method: string; url: URL }): Promise<Readonly<Record<string, string>>>;
  /**
   * Handles a 401, 403 or 400; returns true if the request should be sent again. `attempt` counts from 1 per
   * request.
   */
  challenged(response: ChallengedResponse, attempt: number): Promise<boolean>;
}
