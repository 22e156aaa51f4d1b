import { AppError, type Fail } from '@keywright/contract/errors';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import { type authorizeDevice, showDevice } from '@keywright/contract/routes/device';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page, type SeeOther } from '../../../platform/http/replies.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { pathAtIssuer } from '../../../tenancy/tenant.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import type { LookService } from '../../branding/brand/index.ts';
import { deviceEndView, deviceView } from '../../branding/views/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import { type Clients, type LoadedClient, requireOAuth } from '../clients/index.ts';
import {
  type DeviceGrants,
  type PendingDevice,
  type UserCodeGuesses,
  parseUserCode,
} from '../grants/index.ts';
import { type ResourceDirectory, TenantResources } from '../resources/index.ts';
import type { ClientRequest, ClientAuthentication } from '../token-endpoint/index.ts';
import type { AuthorizationContext, Interactions, PageRequest } from './interaction.ts';
import { admitClient } from './authorization-endpoint.ts';
import {
  type AuthorizationRequest,
  PLAIN_REQUEST,
  type RequestingDevice,
  applyRules,
} from './authorization-request.ts';
import type { AuthorizationGrants } from './authorization-response.ts';
import { problemOf } from './interaction-pages.ts';
import { readScopesAndTargets } from './request-scopes.ts';

/** Limits logins in the name of public clients, which anyone can start because these clients do not authenticate. */
const PUBLIC_CLIENT_LIMITS = { login_attempts_limit: 300, login_attempts_window: 60 };

type DeviceRequest = ClientRequest<BodyOf<typeof authorizeDevice>>;
type DeviceFail = Fail<ErrorsOf<typeof authorizeDevice>>;
type DeviceResponse = OkOf<typeof authorizeDevice>;

/** The device authorization endpoint, which starts logins on devices without a browser (RFC 8628 §3.1). */
export class DeviceAuthorizationEndpoint {
  readonly #core: { readonly gate: Gate; readonly clock: Clock };
  readonly #authentication: ClientAuthentication;
  readonly #clients: Clients;
  readonly #resources: ResourceDirectory;
  readonly #deviceGrants: DeviceGrants;

  constructor(
    core: { readonly gate: Gate; readonly clock: Clock },
    authentication: ClientAuthentication,
    clients: Clients,
    resources: ResourceDirectory,
    deviceGrants: DeviceGrants,
  ) {
    this.#core = core;
    this.#authentication = authentication;
    this.#clients = clients;
    this.#resources = resources;
    this.#deviceGrants = deviceGrants;
  }

  async start(request: DeviceRequest, fail: DeviceFail): Promise<DeviceResponse> {
    await admitClient(this.#clients, request, fail);
    return this.#authentication.withIdentifiedClient(request, fail, (client) =>
      this.#startFor(request, client, fail),
    );
  }

  /** @returns `stale` if the client has changed since it was authenticated */
  async #startFor(
    { tenant, parameters, from }: DeviceRequest,
    client: LoadedClient,
    fail: DeviceFail,
  ): Promise<DeviceResponse | 'stale'> {
    if (client.token_endpoint_auth_method === 'none') {
      const limit = { counter: 'device grant' as const, limits: PUBLIC_CLIENT_LIMITS };
      await requireRoomOfAddress(this.#core, tenant, from, limit, fail);
    }
    if (!(await this.#clients.isCurrent(client))) return 'stale';
    const { scope, resource = [], authorization_details: details } = parameters;
    // RFC 8628 §5.4: an attacker might have talked the user into typing the code, so a device cannot request a payment.
    if (details !== undefined) fail('AUTHORIZATION_DETAILS_INVALID', NO_DETAILS);
    const uris = [resource].flat();
    const resources =
      uris.length > 0 ? await this.#resources.of(tenant.id) : new TenantResources([]);
    const read = applyRules(() => readScopesAndTargets(client, { tenant, resources }, scope, uris));
    if ('error' in read) {
      const code = read.error === 'invalid_target' ? 'TARGET_INVALID' : 'SCOPE_INVALID';
      return fail(code, { detail: read.description });
    }
    if (!client.grant_types.includes(DEVICE_GRANT)) fail('CLIENT_UNAUTHORIZED');
    const started = await this.#deviceGrants.start(tenant.id, {
      clientId: client.id,
      ...read,
      from,
    });
    const page = new URL(pathAtIssuer(tenant, showDevice.path), tenant.issuer);
    const completePage = new URL(page);
    completePage.searchParams.set('user_code', started.userCode);
    return {
      device_code: started.deviceCode,
      user_code: started.userCode,
      verification_uri: page.href,
      verification_uri_complete: completePage.href,
      expires_in: started.expiresInSeconds,
      interval: started.intervalSeconds,
    };
  }
}

const NO_DETAILS = { detail: 'The device flow does not support authorization_details.' };

/** A browser's request to the page where user codes are typed. */
interface CodePageRequest extends Pick<PageRequest, 'tenant' | 'cookies' | 'wishes'> {
  readonly from: Origin;
  /** The form field that protects against cross-site requests. */
  readonly field: Html;
}

/** The pages where a user types the code of a device, and connects or refuses the device (RFC 8628 §3.3). */
export class DeviceLogin {
  readonly #clock: Clock;
  readonly #deviceGrants: DeviceGrants;
  readonly #userCodeGuesses: UserCodeGuesses;
  readonly #interactions: Interactions;
  readonly #grants: AuthorizationGrants;
  readonly #browserLogins: BrowserLogins;
  readonly #looks: LookService;

  constructor(
    clock: Clock,
    deviceGrants: DeviceGrants,
    userCodeGuesses: UserCodeGuesses,
    interactions: Interactions,
    grants: AuthorizationGrants,
    browserLogins: BrowserLogins,
    looks: LookService,
  ) {
    this.#clock = clock;
    this.#deviceGrants = deviceGrants;
    this.#userCodeGuesses = userCodeGuesses;
    this.#interactions = interactions;
    this.#grants = grants;
    this.#browserLogins = browserLogins;
    this.#looks = looks;
  }

  /** Shows the page where a user code is typed. Opening a URL with a code only prefills the field. */
  async showCodePage(
    { tenant, wishes, field }: Omit<CodePageRequest, 'from' | 'cookies'>,
    userCode: string | undefined,
    fail: Fail<'OAUTH_OFF'>,
  ): Promise<Page> {
    requireOAuth(tenant, fail);
    const code = userCode === undefined ? undefined : onlyCodeCharacters(userCode);
    const look = await this.#looks.find(tenant, wishes, {
      action: 'device',
      fields: code === undefined ? {} : { user_code: code },
    });
    return new Page(deviceView({ look, field, code }));
  }

  /**
   * Starts an interaction for the device with the typed code. Nothing is allowed until the user confirms it on a page
   * that shows the device.
   */
  async submitCode(
    page: CodePageRequest,
    typed: string,
    fail: Fail<'OAUTH_OFF'>,
  ): Promise<SeeOther<'flow'> | Page<'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>> {
    const { tenant, cookies, from } = page;
    requireOAuth(tenant, fail);
    // Text that does not look like a code is not looked up, and does not count as a guess.
    if (parseUserCode(typed) === undefined) {
      return this.#refuseCode(page, typed, new AppError('CODE_WRONG'));
    }
    const findUser = async () => {
      const now = this.#clock.now();
      return (await this.#browserLogins.find(tenant, cookies.session, null, now))?.userId;
    };
    const find = () => this.#deviceGrants.find(tenant.id, typed);
    const guess = await this.#userCodeGuesses.guess(tenant, from, findUser, find);
    if ('refused' in guess) return this.#refuseCode(page, typed, guess.refused);
    const interaction = { request: requestOf(guess.found), done: {} };
    return this.#interactions.start(tenant, cookies.flow, interaction);
  }

  async #refuseCode(
    { tenant, wishes, field }: CodePageRequest,
    typed: string,
    error: AppError,
  ): Promise<Page<'CODE_WRONG' | 'TOO_MANY_ATTEMPTS'>> {
    const look = await this.#looks.find(tenant, wishes, { action: 'device', fields: {} });
    const { texts } = look;
    const isWrong = error.code === 'CODE_WRONG';
    const problem = isWrong ? texts.text('device.wrong') : problemOf(error, texts)?.text;
    const html = deviceView({ look, field, code: onlyCodeCharacters(typed), problem });
    return new Page(html, { refusal: isWrong ? 'CODE_WRONG' : 'TOO_MANY_ATTEMPTS' });
  }

  /** Records that the user has allowed the device, which gets its tokens with its next poll. */
  async connect(
    context: AuthorizationContext,
    login: BrowserLogin,
    device: RequestingDevice,
    page: PageRequest,
  ): Promise<Page> {
    const { tenant, client } = context;
    const { from } = page.device;
    const approved = await this.#grants.grant(context, login, from);
    const by = { kind: 'user', subject: login.userId, sessionId: login.sessionId, from } as const;
    const key = { id: device.id, clientId: client.id };
    const isApproved = await this.#deviceGrants.approve(tenant, by, key, approved);
    return endPage(page, isApproved ? 'connected' : 'over');
  }

  /** Records that the user has denied the device, or cannot allow it. The device gets the error. */
  async refuse(
    { tenant, client, login }: AuthorizationContext,
    device: RequestingDevice,
    page: PageRequest,
    end: 'denied' | 'refused',
  ): Promise<Page> {
    const { from } = page.device;
    const by = login
      ? ({ kind: 'user', subject: login.userId, sessionId: login.sessionId, from } as const)
      : anonymous(from);
    const key = { id: device.id, clientId: client.id };
    const isDenied = await this.#deviceGrants.deny(tenant, by, key);
    return endPage(page, isDenied ? end : 'over');
  }
}

/** Keeps only the characters of a typed text, or of a URL, that a page can repeat. */
function onlyCodeCharacters(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 -]/g, '');
}

/** The request of a device. Its user decides every time, and the browser is not redirected. */
function requestOf(device: PendingDevice): AuthorizationRequest {
  const { id, userCode, address, clientId, scopes, targets, startedAt } = device;
  return {
    clientId,
    redirectUri: '',
    scopes,
    ...PLAIN_REQUEST,
    targets: targets as AuthorizationRequest['targets'],
    device: { id, userCode, address, startedAt: epochSeconds(startedAt) },
  };
}

function endPage(
  { look: { here: _here, ...look } }: PageRequest,
  end: Parameters<typeof deviceEndView>[0]['end'],
): Page {
  return new Page(deviceEndView({ look, end }));
}
