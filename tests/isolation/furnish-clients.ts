// OAuth clients of a tenant, and what a user allows them.

import { randomBytes } from 'node:crypto';
import { openApplication } from '../harness/application.ts';
import { consent } from '../harness/consent.ts';
import { requestOf } from '../harness/code-login.ts';
import { deviceClient } from '../harness/device.ts';
import { expectStatus } from '../harness/http.ts';
import { inAppRequest } from '../harness/in-app.ts';
import { SignalClient } from '../harness/signals.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';

interface MadeClient {
  readonly clientId: string;
  /** Its only secret. */
  readonly clientSecretId: string;
}

export interface ClientFurniture extends MadeClient {
  createClient(): Promise<MadeClient>;
  readonly resourceId: string;
  /** @returns its id */
  createResource(): Promise<string>;
  /** The admin's consent to the client. The user who manages the tenant has two consents. */
  readonly consentId: string;
  /** Grants a consent to a new client; @returns its id */
  allowClient(): Promise<string>;
  /** Opens an application for a new user; @returns its access token */
  openApplication(): Promise<string>;
  /** Adds a secret to the client, which already has one; @returns its id */
  addClientSecret(): Promise<string>;
  /** An authorization request, with the client's authentication. */
  requestOfClient(): Promise<Readonly<Record<string, string>>>;
  /** The parameters with which an application logs in a user in its own UI. */
  challengeOfClient(): Promise<Readonly<Record<string, string>>>;
  /** The parameters with which an application starts a login on a device. */
  deviceOfClient(): Promise<Readonly<Record<'client_id', string>>>;
  /** Registers an application dynamically; @returns its registration access token */
  registerApplication(): Promise<string>;
  /** The id of the application that was registered last. */
  lastRegistration(): string;
  readonly registrationTokenId: string;
  /** @returns its id */
  createRegistrationToken(): Promise<string>;
  /** A receiver of shared signals. */
  readonly receiverId: string;
  /** A stream of it. */
  readonly streamId: string;
  /** Creates another stream; @returns its id */
  newStream(): Promise<string>;
  tokenOfReceiver(): Promise<string>;
  /** An access token of an application, and the application's credentials. */
  tokenOfClient(): Promise<Readonly<Record<'token' | 'client_id' | 'client_secret', string>>>;
}

export async function furnishClients(
  keywright: Keywright,
  tenant: TestTenant,
  slug: string,
  admin: TestUser,
): Promise<ClientFurniture> {
  const post = async (path: string, body?: object) => {
    const answer = await tenant.request('POST', path, { token: await tenant.adminToken(), body });
    return expectStatus(201, answer);
  };
  const register = () =>
    post('/clients', {
      name: `turnstile of ${slug}`,
      kind: 'web',
      redirect_uris: [`https://app.${slug}.example.com/callback`],
    });
  const createClient = async (): Promise<MadeClient> => {
    const { id, secrets } = await register();
    const [secret] = secrets as readonly { readonly id: string }[];
    return { clientId: String(id), clientSecretId: String(secret?.id) };
  };
  const [made, another] = [await createClient(), await createClient()];
  const path = `/clients/${made.clientId}`;
  const createResource = async () => {
    const uri = `https://${randomBytes(8).toString('hex')}.${slug}.example.com/`;
    return String((await post('/resources', { name: `files of ${slug}`, uri }))['id']);
  };
  for (const index of [1, 2]) {
    await keywright.database.query(
      `INSERT INTO logout_deliveries
         (tenant_id, id, user_id, queue_key, status, due_at, expires_at, created_at)
       VALUES ($1, $2, $3, $4, 'done', now(), now(), now())`,
      [tenant.id, `session:ended ${index} ${slug}`, admin.user.id, made.clientId],
    );
  }
  const resourceId = await createResource();
  // Lists have a second page.
  await createResource();
  /** A client can have at most two secrets. */
  const addClientSecret = async () => {
    const token = await tenant.adminToken();
    const { secrets } = expectStatus(200, await tenant.request('GET', path, { token }));
    const [, former] = secrets as readonly { readonly id: string }[];
    if (former) {
      const secret = `${path}/secrets/${former.id}`;
      expectStatus(200, await tenant.request('DELETE', secret, { token }));
    }
    return String((await post(`${path}/secrets`))['id']);
  };
  const allow = (userId: string, { clientId }: MadeClient) =>
    consent(keywright, tenant.id, { userId, clientId });
  const allowClient = async () => allow(admin.user.id, await createClient());
  const { sub: keeper } = claimsOf(await tenant.adminToken());
  for (const client of [made, another]) await allow(keeper, client);
  const consentId = await allow(admin.user.id, made);
  const openUserApplication = async () => {
    const [user, { clientId }] = [await tenant.createUser(), await createClient()];
    const scopes = ['openid', 'profile', 'email', 'phone'];
    return (await openApplication(keywright, tenant, { user, clientId, scopes })).token;
  };
  const tokenOfClient = async () => {
    const [user, registration] = [await tenant.createUser(), await register()];
    const [client_id, client_secret] = [
      String(registration['id']),
      String(registration['client_secret']),
    ];
    const { token } = await openApplication(keywright, tenant, { user, clientId: client_id });
    return { token, client_id, client_secret };
  };
  const requestOfClient = async () => {
    const { id, client_secret, redirect_uris } = await register();
    const [redirect_uri] = redirect_uris as string[];
    const proof = { client_id: String(id), client_secret: String(client_secret) };
    return { ...requestOf({ id: proof.client_id }), ...proof, redirect_uri: String(redirect_uri) };
  };
  const createRegistrationToken = async () =>
    String((await post('/clients/registration-tokens', { name: `partners of ${slug}` }))['id']);
  const registrationTokenId = await createRegistrationToken();
  await createRegistrationToken();
  let registered = '';
  const registerApplication = async () => {
    const body = { redirect_uris: [`https://app.${slug}.example.com/callback`] };
    const token = await tenant.adminToken();
    const answer = await tenant.request('POST', '/oauth/register', { token, body });
    const { client_id, registration_access_token } = expectStatus(201, answer);
    registered = String(client_id);
    return String(registration_access_token);
  };
  await registerApplication();
  const registrations = {
    registerApplication,
    lastRegistration: () => registered,
    registrationTokenId,
    createRegistrationToken,
  };
  const receiver = await SignalClient.register(tenant);
  const { stream_id: streamId } = await receiver.stream();
  const newStream = async () => {
    const list = await receiver.call<{ stream_id: string }[]>('GET', '/streams');
    for (const { stream_id } of expectStatus(200, list).filter(
      (stream) => stream.stream_id !== streamId,
    ))
      await receiver.call('DELETE', `/streams?stream_id=${stream_id}`);
    return (await receiver.stream()).stream_id;
  };
  // Lists have a second page.
  await newStream();
  const receiverId = receiver.client.id;
  const signals = { receiverId, streamId, newStream, tokenOfReceiver: () => receiver.token() };
  const resources = { resourceId, createResource };
  const records = {
    ...made,
    ...resources,
    ...registrations,
    ...signals,
    tokenOfClient,
    requestOfClient,
    challengeOfClient: () => inAppRequest(tenant),
    deviceOfClient: async () => ({ client_id: (await deviceClient(tenant)).id }),
    createClient,
    addClientSecret,
    consentId,
    allowClient,
  };
  return { ...records, openApplication: openUserApplication };
}
