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

/** The client that the suite takes for one with a metadata document. */
const metadataUrl = 'https://conformance-test.local/client-metadata.json';

/** A user who agrees to everything: the authorization servers of the suite redirect at once. */
const agreeing: Redirection = {
  redirectUri: 'http://127.0.0.1:3000/callback',
  async authorize(url) {
    const response = await fetch(url, { redirect: 'manual' });
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (location === null) throw new Error('the authorization server does not send the user back');
    return location;
  },
};

/** Acts for a user, as a client that is known by its metadata document or registers itself. */
export const actForUser: Scenario = (run) => useTool(run, asUser({ metadataUrl, dynamic: true }));

/** Finds out, before a token is asked for or sent, that something is wrong. */
export const refuseToAct: Scenario = (run) => rejects(actForUser(run), AuthorizationError);

/** Asks the user for what the server wants, until that has led nowhere often enough. */
export const giveUp: Scenario = (run) => rejects(actForUser(run), HttpError);

/** Acts for a user, as a client that registers itself. */
export const actAsNewcomer: Scenario = (run) => useTool(run, asUser({ dynamic: true }));

/** Acts for a user, as a client that the authorization server knows. */
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

/** Acts as a workload that its platform vouches for. */
export const actAsWorkload: Scenario = async (run) =>
  useTool(
    run,
    workloadIdentity({ client: await registeredAt(run, {}), assertion: () => text(run, 'valid_jwt') }),
  );

/** Acts for a user of an organisation that has signed the user in. */
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
  if (!(outcome instanceof kind)) throw new Error(`there was no ${kind.name}`, { cause: outcome });
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

/** The client of the scenario; where that does not say which authorization server knows it, the server's own does. */
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
