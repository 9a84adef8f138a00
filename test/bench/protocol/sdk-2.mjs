import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { listen } from './announce.mjs';
import { run, shapeOf, tools } from './tools.mjs';

// created once, since a server is created for each session or request
const definitions = tools.map(({ name, title, description, input, output }) => ({
  name,
  config: {
    title,
    description,
    inputSchema: z.object(shapeOf(z, input)),
    outputSchema: z.object(shapeOf(z, output)),
  },
  /** @param {Record<string, unknown>} args */
  call(args) {
    const structuredContent = run(name, args);
    return {
      content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  },
}));

const kind = process.argv[2];
if (kind === 'stdio') await makeServer().connect(new StdioServerTransport());
else if (kind === 'stateless') serveStateless();
else serveSessions();

function makeServer() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const { name, config, call } of definitions) server.registerTool(name, config, call);
  return server;
}

function serveStateless() {
  const handler = createMcpHandler(makeServer, { maxSubscriptions: 20_000 });
  const serve = /** @type {import('node:http').RequestListener} */ (
    /** @type {unknown} */ (toNodeHandler(handler)) // its types know no optional properties that are undefined
  );
  listen(createServer(serve), () => handler.notify.toolsChanged());
}

function serveSessions() {
  /** @type {Map<string, NodeStreamableHTTPServerTransport>} */
  const sessions = new Map();
  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  const serve = async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await makeServer().connect(transport);
    await transport.handleRequest(request, response);
  };
  listen(createServer((request, response) => void serve(request, response)));
}
