import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@keywright/contract/errors';
import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import type { PasskeyAssertion } from '@keywright/contract/records/passkey';
import type { BodyOf } from '@keywright/contract/route';
import { showAccount } from '@keywright/contract/routes/account';
import { logInFirst, showFirstLogin } from '@keywright/contract/routes/first-login';
import { offerUndoPasskey, undoIdentifiers } from '@keywright/contract/routes/identifiers';
import {
  openInvitation,
  openInvitationByIssuer,
  showInvitation,
  showInvitationByIssuer,
} from '@keywright/contract/routes/invitation-pages';
import { startFlow, provePassword } from '@keywright/contract/routes/login-flows';
import {
  showUndo,
  showUndoByIssuer,
  undoOnPage,
  undoOnPageByIssuer,
} from '@keywright/contract/routes/undo-pages';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { type Device, SessionCookie } from '../../../tenancy/caller.ts';
import type { Router } from '../../../tenancy/router.ts';
import { type Tenant, pathAtIssuer, requireIssuer } from '../../../tenancy/tenant.ts';
import { type FlowInvitations, deviceCookie } from '../../authentication/flows/index.ts';
import type { Look, LookService } from '../../branding/brand/index.ts';
import {
  endedFirstLoginView,
  endedInvitationView,
  firstLoginView,
  invitationView,
  typedProblem,
  undoPasskeyView,
  undoView,
  undoneView,
} from '../../branding/views/index.ts';
import type { UndoService } from '../../identity/identifiers/index.ts';
import type { PageLogins } from '../../oauth/authorize/index.ts';

/** Binds the page of the link that a first start prints. The page leads to the console. */
export function bindFirstLogin(router: Router, link: FirstLoginLink, looks: LookService): void {
  router.add(showFirstLogin, async ({ tenant, query: { token }, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await looks.find(tenant, wishes, { action: 'first-login', fields: { token } });
    const found = link.find(tenant.id, token);
    if (!found) return endedFirstLogin(look);
    return new Page(firstLoginView({ look, field: form.field, token, ...found }));
  });

  router.add(logInFirst, async ({ tenant, body, device, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const found = link.take(tenant.id, body.token);
    if (!found) return endedFirstLogin(await looks.find(tenant, wishes));
    const cookies = await logIn(router.perform, tenant, device, found);
    const welcome = cookies.length > 0 ? '?welcome=1' : '';
    return new SeeOther(`/console/t/${tenant.id}/${welcome}`, cookies);
  });
}

/** Logs in with the printed secret. @returns the cookies; none if the secret is insufficient or no longer valid */
async function logIn(
  perform: Router['perform'],
  tenant: Tenant,
  from: Device,
  { identifier, secret }: FirstAdministrator,
): Promise<Cookie<'session' | 'device'>[]> {
  const cookie = new SessionCookie();
  const device = { ...from, cookie };
  try {
    const { flow, flow_token } = await perform(startFlow, {
      tenant,
      device,
      params: {},
      body: { identifier },
    });
    const params = { flow_id: flow.id };
    const body = { flow_token, secret };
    const { device_token } = await perform(provePassword, { tenant, device, params, body });
    const { value } = cookie;
    const { browser_session_ttl: maxAgeSeconds } = tenant.config;
    if (value === undefined || device_token === undefined) return [];
    return [{ name: 'session', value, maxAgeSeconds }, deviceCookie(device_token)];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [];
  }
}

function endedFirstLogin(look: Look): Page<'FLOW_ENDED'> {
  const { here: _here, ...shown } = look;
  return new Page(endedFirstLoginView(shown), { refusal: 'FLOW_ENDED' });
}

const TOKEN_BYTES = 32;
const LIFETIME_MS = 60 * 60 * 1000;

/** The administrator that a first start created, with the secret that it printed. */
interface FirstAdministrator {
  readonly identifier: string;
  readonly secret: string;
}

/**
 * The link that a first start prints. It replaces the printed secret once. Only this process knows the token, so it
 * cannot be stolen from the database.
 */
export class FirstLoginLink {
  readonly #clock: Clock;
  #open:
    | { readonly hash: Buffer; readonly until: number; readonly administrator: FirstAdministrator }
    | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the token */
  draw(administrator: FirstAdministrator): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const until = this.#clock.now().getTime() + LIFETIME_MS;
    this.#open = { hash: sha256(token), until, administrator };
    return token;
  }

  /** Returns the administrator of the link; undefined if the link was used or has expired. */
  find(tenantId: TenantId, token: string): FirstAdministrator | undefined {
    const open = this.#open;
    if (!open || tenantId !== DEFAULT_TENANT) return undefined;
    const isRight = timingSafeEqual(open.hash, sha256(token));
    return isRight && this.#clock.now().getTime() < open.until ? open.administrator : undefined;
  }

  /** Uses it up. */
  take(tenantId: TenantId, token: string): FirstAdministrator | undefined {
    const found = this.find(tenantId, token);
    if (found) this.#open = undefined;
    return found;
  }
}

/** Binds the pages of an invitation: its description, and the flow that accepts it. */
export function bindInvitationPages(
  router: Router,
  invitations: FlowInvitations,
  pageLogins: PageLogins,
  looks: LookService,
): void {
  const shown = [showInvitation, showInvitationByIssuer];
  router.addAll(shown, async ({ tenant, query: { token }, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await looks.find(tenant, wishes, { action: 'invitation', fields: { token } });
    const found = await invitations.read(tenant, token);
    if (found?.state !== 'pending') return endedInvitation(tenant, look, found?.state);
    const page = { look, field: form.field, token, tenantName: tenant.name };
    return new Page(invitationView({ ...page, ...shownIn(tenant, found) }));
  });

  const opened = [openInvitation, openInvitationByIssuer];
  router.addAll(opened, async ({ tenant, body, cookies, device, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const { token } = body;
    const found = await invitations.read(tenant, token);
    if (found?.state !== 'pending') {
      return endedInvitation(tenant, await looks.find(tenant, wishes), found?.state);
    }
    const { invitation, startPage } = found;
    const call = { tenant, device, params: {}, body: flowRequestOf(body) };
    const started = await router.perform(startFlow, call).catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
      const look = await looks.find(tenant, wishes);
      const problem = typedProblem(error.options.errors?.[0]?.message ?? '', look.texts);
      const page = { look, field: form.field, token, tenantName: tenant.name, problem };
      const typed = { ...shownIn(tenant, found), name: body.name ?? '' };
      return new Page(invitationView({ ...page, ...typed }), { refusal: error.code });
    });
    if (started instanceof Page) return started;
    const { id } = started.flow;
    const loginFlow = { id, token: started.flow_token, identifier: invitation.identifier };
    const account = pathAtIssuer(tenant, showAccount.path);
    const returnTo = startPage ? startAddress(tenant, startPage) : account;
    // The browser may be logged in as another user.
    const requirements = { prompts: ['login'] } as const;
    return pageLogins.start(tenant, cookies.flow, { returnTo, requirements, loginFlow });
  });
}

/** An empty name replaces the name in the invitation; without the field, that name remains. */
function flowRequestOf({ token, name }: BodyOf<typeof openInvitation>) {
  const purpose = 'invitation' as const;
  return { purpose, token, ...(name !== undefined && { name: name.trim() || null }) };
}

type FoundInvitation = NonNullable<Awaited<ReturnType<FlowInvitations['read']>>>;

/** Returns the values of an invitation that its page shows. */
function shownIn({ config }: Tenant, { invitation, inviter, isNew }: FoundInvitation) {
  const names = isNew ? config.registration_name : 'off';
  return { identifier: invitation.identifier, inviter, names, name: invitation.name ?? '' };
}

/** OpenID Connect Core §4: the page of an application that starts its login has the issuer as a parameter. */
function startAddress(
  { issuer }: Tenant,
  { url, startsLogin }: NonNullable<FoundInvitation['startPage']>,
): string {
  const address = new URL(url);
  if (startsLogin) address.searchParams.set('iss', issuer);
  return address.href;
}

type State = Parameters<typeof endedInvitationView>[0]['state'];

function endedInvitation(tenant: Tenant, look: Look, state: State): Page<'FLOW_ENDED'> {
  const { here: _here, ...shown } = look;
  const account = pathAtIssuer(tenant, showAccount.path);
  return new Page(endedInvitationView({ look: shown, state, account }), { refusal: 'FLOW_ENDED' });
}

const WRONG: ReadonlySet<unknown> = new Set([
  'PROOF_REQUIRED',
  'VALIDATION_FAILED',
  'STEP_NOT_NEEDED',
]);

/** Binds the pages that undo a change of identifiers. The notice of the change links to them. */
export function bindUndoPages(router: Router, undos: UndoService, looks: LookService): void {
  const shown = [showUndo, showUndoByIssuer];
  router.addAll(shown, async ({ tenant, query: { token }, form, from, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await looks.find(tenant, wishes, { action: 'undo', fields: { token } });
    const proofs = await undos.findProofs(tenant, token, from, fail);
    if (!proofs) return endedUndo(tenant, look);
    return new Page(undoView({ look, field: form.field, token, tenantName: tenant.name, proofs }));
  });

  const submitted = [undoOnPage, undoOnPageByIssuer];
  router.addAll(submitted, async ({ tenant, body, device, form, from, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const { token, secret: password, code, credential, action } = body;
    const look = await looks.find(tenant, wishes);
    const proofs = await undos.findProofs(tenant, token, from, fail);
    if (!proofs) return endedUndo(tenant, look);
    const page = { look, field: form.field, token, tenantName: tenant.name, proofs };
    const call = { tenant, device, params: {} };
    try {
      if (action === 'passkey') {
        const { options } = await router.perform(offerUndoPasskey, {
          ...call,
          body: { undo_token: token },
        });
        return new Page(undoPasskeyView({ ...page, options }));
      }
      const proof = {
        undo_token: token,
        ...(password && { password }),
        ...(code && { code }),
        ...(credential && { credential: parsePasskey(credential) }),
      };
      await router.perform(undoIdentifiers, { ...call, body: proof });
      return new Page(undoneView({ look, state: 'done', account: accountOf(tenant) }));
    } catch (error) {
      const refusal = error instanceof AppError ? error.code : undefined;
      if (refusal === 'FLOW_ENDED') return endedUndo(tenant, look);
      // A code of the wrong length counts as a wrong code.
      if (!WRONG.has(refusal)) throw error;
      return new Page(undoView({ ...page, isWrong: true }), { refusal: 'PROOF_REQUIRED' });
    }
  });
}

/** Parses the browser's passkey response. The route checks its format. */
function parsePasskey(credential: string): PasskeyAssertion {
  try {
    return JSON.parse(credential) as PasskeyAssertion;
  } catch {
    throw new AppError('VALIDATION_FAILED');
  }
}

function accountOf(tenant: Tenant): string {
  return pathAtIssuer(tenant, showAccount.path);
}

function endedUndo(tenant: Tenant, look: Look): Page<'FLOW_ENDED'> {
  const { here: _here, ...shown } = look;
  const html = undoneView({ look: shown, state: 'ended', account: accountOf(tenant) });
  return new Page(html, { refusal: 'FLOW_ENDED' });
}
