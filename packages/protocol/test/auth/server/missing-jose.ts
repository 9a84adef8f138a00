import { bearer, jwks } from '../../../src/auth.ts';
import { ask } from './asking.ts';

const heard: string[] = [];
const authorizer = bearer({
  verify: jwks({ issuer: 'https://login.example.com', jwks: { keys: [] } }),
  resource: 'https://mcp.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
  onError: (message) => heard.push(message),
});
const outcome = await ask(authorizer, 'Bearer abc');
process.stdout.write(JSON.stringify({ outcome, heard }));
