import { type Revision, revisions } from '@rootbound/protocol';
import {
  type Client,
  type ClientOptions,
  connect,
  type HttpClientOptions,
  http,
} from '@rootbound/protocol/client';

/** The scenario of a client, from the suite. */
export interface Run {
  readonly scenario: string;
  readonly url: string;
  readonly revision: Revision;
  /** values for this scenario only, such as credentials */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Runs a scenario; rejects if it cannot. */
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
    revision: (version ?? '2025-11-25') as Revision, // the suite uses no other versions
    // the suite sets a JSON object
    context: JSON.parse(variables.MCP_CONFORMANCE_CONTEXT ?? '{}') as Record<string, unknown>,
  };
}

/** Runs work with a client of the scenario's revision, and closes it. */
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

/** Returns the era options; several scenarios have servers that do not respond to probes. */
function eraOf(revision: Revision): Pick<ClientOptions, 'era' | 'revision'> {
  return revisions[revision].era === 'stateless'
    ? { era: { pinned: revision } }
    : { era: 'handshake', revision };
}
