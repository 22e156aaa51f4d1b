import { AppError, type Fail } from '@keywright/contract/errors';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import { type authorizeDevice, showDevice } from '@keywright/contract/routes/device';
import { epochSeconds, type Clock } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { pathAtIssuer } from '../../../tenancy/issuer-paths.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import type { FindLook } from '../../branding/brand/index.ts';
import { deviceEndView, deviceView } from '../../branding/views/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import type { BrowserLogin } from '../../tokens/sessions/index.ts';
import { requireOAuth, type Clients, type KnownClient } from '../clients/index.ts';
import {
  type DeviceGrants,
  type PendingDevice,
  readUserCode,
  type Guesses,
} from '../device-grants/index.ts';
import { type FindResources, knownResources } from '../resources/index.ts';
import type { ClientRequest, Identify } from '../token-endpoint/index.ts';
import type { Situation } from './authorization-context.ts';
import type { EntryDependencies } from './authorization-endpoint.ts';
import { grantWithin } from './authorization-grants.ts';
import {
  type AskingDevice,
  type AuthorizationRequest,
  PLAIN_REQUEST,
} from './authorization-request.ts';
import { type Problem, problemOf } from './interaction-pages.ts';
import { continuePath, type Visit } from './interaction.ts';
import { admitNamed } from './pushed-endpoint.ts';
import { readScopesAndTargets } from './request-scopes.ts';

interface PageDependencies extends Pick<
  EntryDependencies,
  'gate' | 'clock' | 'clients' | 'browserLogins' | 'interactions'
> {
  readonly deviceGrants: DeviceGrants;
  readonly guesses: Guesses;
  readonly findLook: FindLook;
}

/** What a browser sends to the page where device codes are typed. */
interface AtDevice extends Pick<Visit, 'tenant' | 'cookies' | 'wishes'> {
  readonly from: Origin;
  readonly field: Html;
}

/** The page where a device code is typed. */
export async function showDevicePage(
  { findLook }: Pick<PageDependencies, 'findLook'>,
  { tenant, wishes, field }: Omit<AtDevice, 'from' | 'cookies'>,
  given: string | undefined,
  fail: Fail<'OAUTH_OFF'>,
): Promise<Page> {
  requireOAuth(tenant, fail);
  const code = given === undefined ? undefined : repeated(given);
  const look = await findLook(tenant, wishes, hereOf(code));
  return new Page(deviceView({ look, field, code }));
}

/** What a page repeats of the input or its URL: only characters that a code can have. */
function repeated(typed: string): string {
  return typed.replaceAll(/[^A-Za-z0-9 -]/g, '');
}

/** For another language: the code in the URL. */
function hereOf(code: string | undefined) {
  return { action: 'device', fields: code === undefined ? {} : { user_code: code } };
}

/**
 * Takes a code that was typed: the login continues with the device that shows it. Opening a URL with a code types nothing, and
 * nothing is allowed before the user confirms it on a page that shows the device.
 */
export async function takeUserCode(
  dependencies: PageDependencies,
  at: AtDevice,
  typed: string,
  fail: Fail<'OAUTH_OFF'>,
): Promise<SeeOther<'flow'> | Page<'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>> {
  const { guesses, deviceGrants, interactions, browserLogins, clock } = dependencies;
  const { tenant, cookies, from } = at;
  requireOAuth(tenant, fail);
  // Text that does not look like a code is not looked up, and does not count as a guess.
  if (readUserCode(typed) === undefined) {
    return typeAgain(dependencies, at, typed, new AppError('CODE_WRONG'));
  }
  const findUser = async () =>
    (await browserLogins.find(tenant, cookies.session, null, clock.now()))?.userId;
  const find = () => deviceGrants.find(tenant.id, typed);
  const guess = await guesses.guess(tenant, from, findUser, find);
  if ('refused' in guess) return typeAgain(dependencies, at, typed, guess.refused);
  const { flow = randomId() } = cookies;
  const interaction = { request: requestOf(guess.found), done: {} };
  const sealed = await interactions.seal(tenant.id, flow, interaction, clock.now());
  const added = cookies.flow === undefined ? [{ name: 'flow', value: flow } as const] : [];
  return new SeeOther(continuePath(tenant, sealed), added);
}

async function typeAgain(
  { findLook }: PageDependencies,
  { tenant, wishes, field }: AtDevice,
  code: string,
  refused: Parameters<typeof problemOf>[0],
) {
  const look = await findLook(tenant, wishes, hereOf(undefined));
  const { texts } = look;
  const isWrong = refused.code === 'CODE_WRONG';
  const told = isWrong ? texts.text('device.wrong') : problemOf(refused, texts)?.text;
  const refusal: Problem['code'] & ('CODE_WRONG' | 'TOO_MANY_ATTEMPTS') = isWrong
    ? 'CODE_WRONG'
    : 'TOO_MANY_ATTEMPTS';
  return new Page(deviceView({ look, field, code: repeated(code), problem: told }), { refusal });
}

/** The request of the device. Its user decides each time, and the browser is not redirected. */
function requestOf(device: PendingDevice): AuthorizationRequest {
  const { id, userCode, address, clientId, scopes, targets, begunAt } = device;
  return {
    clientId,
    redirectUri: '',
    scopes,
    ...PLAIN_REQUEST,
    targets: targets as AuthorizationRequest['targets'],
    device: { id, userCode, address, begunAt: epochSeconds(begunAt) },
  };
}

/** The user has allowed it: the device gets its tokens with its next request. */
export async function connectDevice(
  {
    deviceGrants,
    ...dependencies
  }: Pick<PageDependencies, 'gate' | 'clients' | 'browserLogins' | 'deviceGrants'>,
  situation: Situation,
  { login, device }: { readonly login: BrowserLogin; readonly device: AskingDevice },
  visit: Visit,
): Promise<Page> {
  const { tenant, client } = situation;
  const { from } = visit.device;
  const data = dependencies.gate.into(tenant.id);
  const allowed = await grantWithin(dependencies, situation, login, from);
  const by = { kind: 'user', subject: login.userId, sessionId: login.sessionId, from } as const;
  const decided = { id: device.id, clientId: client.id };
  const isApproved = await deviceGrants.approve(data, by, decided, allowed);
  return ended(visit, isApproved ? 'connected' : 'over');
}

/** The user has not allowed it, or cannot: the device gets the error. */
export async function refuseDevice(
  { gate, deviceGrants }: Pick<PageDependencies, 'gate' | 'deviceGrants'>,
  { tenant, client, login }: Situation,
  device: AskingDevice,
  visit: Visit,
  end: 'denied' | 'refused',
): Promise<Page> {
  const { from } = visit.device;
  const by = login
    ? ({ kind: 'user', subject: login.userId, sessionId: login.sessionId, from } as const)
    : anonymous(from);
  const decided = { id: device.id, clientId: client.id };
  const isDenied = await deviceGrants.deny(gate.into(tenant.id), by, decided);
  return ended(visit, isDenied ? end : 'over');
}

function ended(
  { look: { here: _here, ...look } }: Visit,
  end: Parameters<typeof deviceEndView>[0]['end'],
) {
  return new Page(deviceEndView({ look, end }));
}

/** Public clients do not authenticate, so anyone can start logins in their name. */
const LIMITS = { login_attempts_limit: 300, login_attempts_window: 60 };

type RefuseDeviceRequest = Fail<ErrorsOf<typeof authorizeDevice>>;
type DeviceRequest = ClientRequest<BodyOf<typeof authorizeDevice>>;
type DeviceAnswer = OkOf<typeof authorizeDevice>;

interface DeviceDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly identify: Identify;
  readonly clients: Clients;
  readonly findResources: FindResources;
  readonly deviceGrants: DeviceGrants;
}

/** Starts a device login of a client that authenticates (RFC 8628 §3.1). */
export function createBeginDevice(
  dependencies: DeviceDependencies,
): (request: DeviceRequest, fail: RefuseDeviceRequest) => Promise<DeviceAnswer> {
  const { identify, clients } = dependencies;
  return async (request, fail) => {
    await admitNamed(clients, request, fail);
    return identify.withKnownClient(request, fail, (client) =>
      beginFor(dependencies, request, client, fail),
    );
  };
}

const NOT_ON_DEVICES = { detail: 'Nothing in particular can be allowed on a device.' };

/** @returns `stale` if the client has changed since it was authenticated */
async function beginFor(
  dependencies: DeviceDependencies,
  { tenant, parameters, from }: DeviceRequest,
  client: KnownClient,
  fail: RefuseDeviceRequest,
): Promise<DeviceAnswer | 'stale'> {
  const { clients, deviceGrants, findResources } = dependencies;
  if (client.token_endpoint_auth_method === 'none') {
    const most = { counter: 'device grant' as const, limits: LIMITS };
    await requireRoomOfAddress(dependencies, tenant, from, most, fail);
  }
  if (!(await clients.isCurrent(client))) return 'stale';
  const { scope, resource = [], authorization_details: details } = parameters;
  // RFC 8628 §5.4: the user may have been talked into typing the code, so a payment cannot be approved in this way.
  if (details !== undefined) fail('AUTHORIZATION_DETAILS_INVALID', NOT_ON_DEVICES);
  const uris = [resource].flat();
  const resources = uris.length > 0 ? await findResources(tenant.id) : knownResources([]);
  const asked = readScopesAndTargets({ client, tenant, resources }, scope, uris);
  if ('error' in asked) {
    const code = asked.error === 'invalid_target' ? 'TARGET_INVALID' : 'SCOPE_INVALID';
    return fail(code, { detail: asked.description });
  }
  if (!client.grant_types.includes(DEVICE_GRANT)) fail('CLIENT_UNAUTHORIZED');
  const begun = await deviceGrants.begin(tenant.id, { clientId: client.id, ...asked, from });
  const page = new URL(pathAtIssuer(tenant, showDevice.path), tenant.issuer);
  const complete = new URL(page);
  complete.searchParams.set('user_code', begun.userCode);
  return {
    device_code: begun.deviceCode,
    user_code: begun.userCode,
    verification_uri: page.href,
    verification_uri_complete: complete.href,
    expires_in: begun.expiresInSeconds,
    interval: begun.intervalSeconds,
  };
}
