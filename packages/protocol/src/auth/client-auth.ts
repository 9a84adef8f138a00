/**
 * What of an answer says which credentials are wanted.
 * @example
 * const wantsScope = ({ status, header }: ChallengedResponse): boolean =>
 *   status === 403 && header('www-authenticate')?.includes('insufficient_scope') === true;
 */
export interface ChallengedResponse {
  readonly status: number;
  /** where the request was sent */
  readonly url: URL;
  /** the value of a header of the answer by its lower-case name */
  header(name: string): string | undefined;
  /** the revision spoken with the server, as far as it is known */
  readonly revision: string | undefined;
  /** what `headers` gave for the request; it tells a refused token from one that was renewed meanwhile */
  readonly sent?: Readonly<Record<string, string>> | undefined;
}

/**
 * Adds credentials to the requests that go to one server, and answers its challenges.
 * @example
 * const auth: ClientAuth = {
 *   headers: async () => ({ Authorization: `Bearer ${process.env.TOKEN ?? ''}` }),
 *   challenged: async () => false,
 * };
 * http('https://mcp.example.com/mcp', { auth });
 */
export interface ClientAuth {
  /** The headers to add to a request, by lower-case name; waits for a flow in progress. */
  headers(request: { method: string; url: URL }): Promise<Readonly<Record<string, string>>>;
  /** Hears a 401, 403 or 400; true when the request should be sent once more. `attempt` counts from 1 for one request. */
  challenged(response: ChallengedResponse, attempt: number): Promise<boolean>;
}
