import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** A server: a program with its arguments, or an address. */
export type Place = readonly string[] | URL;

/** The official client's modes, one for each era. */
export const officialModes = {
  handshake: 'legacy',
  stateless: { pin: '2026-07-28' },
} as const satisfies Record<string, VersionNegotiationMode>;

/** Connects the official client, whose user accepts every question, to a server. */
export async function officialClient(
  place: Place,
  mode: VersionNegotiationMode,
): Promise<{ client: Client; questions: string[] }> {
  const client = new Client(
    { name: 'interop', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  const questions: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message);
    return { action: 'accept', content: { confirm: true } };
  });
  await client.connect(
    place instanceof URL
      ? new StreamableHTTPClientTransport(place)
      : new StdioClientTransport({ command: place[0]!, args: place.slice(1) }),
  );
  return { client, questions };
}
