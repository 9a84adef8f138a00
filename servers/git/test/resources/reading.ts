import { type Client, RpcError } from '@rootbound/protocol/client';

interface Contents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/** The one content behind a URI. */
export async function contentOf(client: Client, uri: string): Promise<Contents> {
  const { contents } = await client.readResource(uri);
  if (contents.length !== 1) throw new Error(`${uri} has ${contents.length} contents`);
  return contents[0] as Contents; // the members that a test names
}

/** The facts behind a URI. */
export async function factsOf(client: Client, uri: string): Promise<Record<string, unknown>> {
  const { mimeType, text = '' } = await contentOf(client, uri);
  if (mimeType !== 'application/json') throw new Error(`${uri} is ${mimeType}`);
  return JSON.parse(text) as Record<string, unknown>;
}

export async function refusal(client: Client, uri: string): Promise<RpcError> {
  const outcome = await client.readResource(uri).catch((error: unknown) => error);
  if (outcome instanceof RpcError) return outcome;
  throw new Error(`${uri} was read`);
}
