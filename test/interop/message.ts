export type Id = string | number;

/** A JSON-RPC message of either side. */
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

/** Returns `_meta` of an object, or an empty object. */
export function metaOf(holder: Record<string, unknown> | undefined): Record<string, unknown> {
  return (holder?._meta ?? {}) as Record<string, unknown>; // an object by the schemas
}
