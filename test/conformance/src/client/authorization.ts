import {
  AuthorizationError,
  type ClientAuth,
  type ClientChoice,
  clientCredentials,
  discoverAuthorization,
  enterpriseManaged,
  oauth,
  type Redirection,
  type RegisteredClient,
  workloadIdentity,
} from '@rootbound/protocol/auth';
import { HttpError } from '@rootbound/protocol/client';
import { type Run, type Scenario, withClient } from './run.ts';

/** The metadata document of the client that the suite expects. */
const metadataUrl = 'https://conformance-test.local/client-metadata.json';

/** A user who agrees to everything: the authorization servers of the suite redirect at once. */
const agreeing: Redirection = {
  redirectUri: 'http://127.0.0.1:3000/callback',
  async authorize(url) {
    const response = await fetch(url, { redirect: 'manual' });
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (location === null) throw new Error('the authorization server does not redirect the user');
    return location;
  },
};

/** Acts for a user, as a client with a metadata document or dynamic registration. */
export const actForUser: Scenario = (run) => useTool(run, asUser({ metadataUrl, dynamic: true }));

/** Expects an error before a token is requested or sent. */
export const refuseToAct: Scenario = (run) => rejects(actForUser(run), AuthorizationError);

/** Asks the user for the scopes that the server requires, until the client gives up. */
export const giveUp: Scenario = (run) => rejects(actForUser(run), HttpError);

/** Acts for a user, as a client that registers dynamically. */
export const actAsNewcomer: Scenario = (run) => useTool(run, asUser({ dynamic: true }));

/** Acts for a user, as a client that is registered at the authorization server. */
export const actAsRegistered: Scenario = async (run) =>
  useTool(run, asUser({ registered: await registeredAt(run, { clientSecret: text(run, 'client_secret') }) }));

/** Acts for itself, with a secret. */
export const actForItself: Scenario = async (run) =>
  useTool(
    run,
    clientCredentials({ client: await registeredAt(run, { clientSecret: text(run, 'client_secret') }) }),
  );

/** Acts for itself, with a key. */
export const actWithKey: Scenario = async (run) =>
  useTool(
    run,
    clientCredentials({ client: await registeredAt(run, { privateKey: text(run, 'private_key_pem') }) }),
  );

/** Acts as a workload with an assertion of its platform. */
export const actAsWorkload: Scenario = async (run) =>
  useTool(
    run,
    workloadIdentity({ client: await registeredAt(run, {}), assertion: () => text(run, 'valid_jwt') }),
  );

/** Acts for a user who has signed in at an organisation. */
export const actForEmployee: Scenario = async (run) =>
  useTool(
    run,
    enterpriseManaged({
      client: await registeredAt(run, { clientSecret: text(run, 'client_secret') }),
      identityProvider: {
        issuer: text(run, 'idp_issuer'),
        clientId: text(run, 'idp_client_id'),
        tokenEndpoint: text(run, 'idp_token_endpoint'),
        subjectToken: () => text(run, 'idp_id_token'),
      },
    }),
  );

async function rejects(work: Promise<void>, kind: new (...args: never[]) => Error): Promise<void> {
  const outcome = await work.catch((error: unknown) => error);
  if (!(outcome instanceof kind)) throw new Error(`expected ${kind.name}`, { cause: outcome });
}

function asUser(client: ClientChoice): ClientAuth {
  return oauth({ clientName: 'Rootbound conformance', redirect: agreeing, client });
}

async function useTool(run: Run, auth: ClientAuth): Promise<void> {
  await withClient(
    run,
    async (client) => {
      await client.listTools();
      await client.callTool('test-tool');
    },
    { transport: { auth } },
  );
}

/**
 * Returns the client of the scenario; without an issuer in the scenario, the one of the server's metadata is
 * used.
 */
async function registeredAt(run: Run, rest: Partial<RegisteredClient>): Promise<RegisteredClient> {
  const issuer =
    'issuer' in run.context ? text(run, 'issuer') : (await discoverAuthorization(run.url)).issuer;
  return { issuer, clientId: text(run, 'client_id'), ...rest };
}

function text({ context, scenario }: Run, name: string): string {
  const value = context[name];
  if (typeof value !== 'string') throw new TypeError(`${scenario} gives no ${name}`);
  return value;
}
