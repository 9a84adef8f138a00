export interface InstallLinkRequest {
  client: 'vscode' | 'cursor';
  /** the name of the entry */
  server: string;
  /** the members below the name in the client's own file */
  entry: object;
}

/**
 * Returns a link that opens the client, which asks whether to add the entry; it works on pages that show http links
 * alone.
 */
export function renderInstallLink({ client, server, entry }: InstallLinkRequest): string {
  const config = JSON.stringify(entry);
  // code.visualstudio.com/api/extension-guides/ai/mcp and cursor.com/docs/mcp/install-links, read on 2026-11-23; both
  // pages tell links of a scheme of their own, to which these addresses redirect
  const [address, text] =
    client === 'vscode'
      ? ['https://vscode.dev/redirect/mcp/install', config]
      : ['https://cursor.com/en/install-mcp', Buffer.from(config).toString('base64')];
  return `${address}?name=${encodeURIComponent(server)}&config=${encodeURIComponent(text)}`;
}
