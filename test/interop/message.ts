export type Id = string | number;

/** A JSON-RPC message of either side as it is on the wire. */
export interface Message {
  jsonrpc?: string;
  id?: Id | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

export const claimKey = 'io.modelcontextprotocol/protocolVersion';
export const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
export const clientKey = 'io.modelcontextprotocol/clientInfo';
export const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
export const serverKey = 'io.modelcontextprotocol/serverInfo';

/** The member `_meta` of an object that may have one. */
export function metaOf(holder: Record<string, unknown> | undefined): Record<string, unknown> {
  return (holder?._meta ?? {}) as Record<string, unknown>; // the schemas say that it is an object
}
