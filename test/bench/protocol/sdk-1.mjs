import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';
import { listen } from './announce.mjs';
import { run, shapeOf, tools } from './tools.mjs';

// created once, since a server is created for each session or request
const definitions = tools.map(({ name, title, description, input, output }) => ({
  name,
  config: { title, description, inputSchema: shapeOf(z, input), outputSchema: shapeOf(z, output) },
  /** @param {Record<string, unknown>} args */
  call(args) {
    const structuredContent = run(name, args);
    return {
      content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  },
}));

if (process.argv[2] === 'stdio') await makeServer().connect(new StdioServerTransport());
else serveSessions();

function makeServer() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const { name, config, call } of definitions) server.registerTool(name, config, call);
  return server;
}

function serveSessions() {
  /** @type {Map<string, StreamableHTTPServerTransport>} */
  const sessions = new Map();
  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  const serve = async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await makeServer().connect(transport);
    await transport.handleRequest(request, response);
  };
  listen(createServer((request, response) => void serve(request, response)));
}
