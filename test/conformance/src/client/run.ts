import { type Revision, revisions } from '@rootbound/protocol';
import {
  type Client,
  type ClientOptions,
  connect,
  type HttpClientOptions,
  http,
} from '@rootbound/protocol/client';

/** What the suite tells a client of the scenario that it is to act in. */
export interface Run {
  readonly scenario: string;
  readonly url: string;
  readonly revision: Revision;
  /** what only this scenario needs, such as credentials */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Acts in a scenario; rejects when it cannot. */
export type Scenario = (run: Run) => Promise<void>;

/** Reads the variables that the suite sets. */
export function readRun(url: string, variables: NodeJS.ProcessEnv): Run {
  const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_PROTOCOL_VERSION: version } = variables;
  if (url === '' || scenario === undefined) {
    throw new TypeError('give the URL of a server, and the scenario as MCP_CONFORMANCE_SCENARIO');
  }
  return {
    scenario,
    url,
    revision: (version ?? '2025-11-25') as Revision, // the suite knows no other versions
    context: JSON.parse(variables.MCP_CONFORMANCE_CONTEXT ?? '{}') as Record<string, unknown>,
  };
}

/** A client that talks the revision of the scenario and nothing else, closed when the work is done. */
export async function withClient(
  { url, revision }: Run,
  work: (client: Client) => Promise<void>,
  options: Partial<ClientOptions> & { transport?: HttpClientOptions } = {},
): Promise<void> {
  const { transport, ...rest } = options;
  const client = await connect(http(url, transport), {
    name: 'rootbound-conformance',
    version: '1.0.0',
    ...eraOf(revision),
    ...rest,
  });
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

/** Several scenarios have servers that answer no probe. */
function eraOf(revision: Revision): Pick<ClientOptions, 'era' | 'revision'> {
  return revisions[revision].era === 'stateless'
    ? { era: { pinned: revision } }
    : { era: 'handshake', revision };
}
