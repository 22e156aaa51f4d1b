import * as contract from '@keywright/contract/routes/factors';
import * as identityRoutes from '@keywright/contract/routes/identities';
import { AppError } from '@keywright/contract/errors';
import type { FactorRecord, CreatedTotp } from '@keywright/contract/records/factor';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import type { BodyOf } from '@keywright/contract/route';
import { updateMe } from '@keywright/contract/routes/me';
import { addPasskey, offerPasskey } from '@keywright/contract/routes/passkeys';
import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { type Tenant, offersUpstream } from '../../../tenancy/tenant.ts';
import { linkingPageOf } from '../../authentication/upstream-logins/index.ts';
import { type UserLoginMethods, canLogIn } from '../../authentication/proofs/index.ts';
import { codesList, qrOf } from '../../branding/views/index.ts';
import {
  action,
  card,
  type Carried,
  confirmFirst,
  input,
  list,
  time,
  type Acted,
  type Section,
  WHOLE,
  type UserApi,
  back,
} from './account-section.ts';

const NOTHING = { params: {}, query: {} } as const;

const identityActions: Section['actions'] = {
  async link_identity(api, { id = '' }) {
    const body = { provider: id, return_url: linkingPageOf(api.tenant) };
    const request = { params: {}, query: {}, body };
    const { authorize_url: address } = await api.call(identityRoutes.startLinking, request);
    return { redirectTo: new URL(address) };
  },
  async remove_identity(api, { id = '' }) {
    const request = { params: { provider_id: id }, query: {}, body: undefined };
    await api.call(identityRoutes.deleteIdentity, request);
    return { done: 'identity_removed' };
  },
};

/** Password, passkeys, authenticator apps and recovery codes. */
export const security: Section = {
  async show(api, carried) {
    const { items } = await api.call(contract.listFactors, WHOLE);
    const confirmed = items.filter((factor) => factor.confirmed_at !== null);
    const of = (type: FactorRecord['type']) => confirmed.filter((factor) => factor.type === type);
    const { texts } = carried;
    const methods = await api.findLoginMethods();
    const authenticators = of('passkey').length + of('totp').length;
    const context = { tenant: api.tenant, methods, authenticators };
    const shown = (type: FactorRecord['type']) =>
      of(type).map((factor) => itemOf(factor, carried, reasonToStay(factor, context)));
    const add = (name: string, text: string) =>
      carried.isFresh ? action(carried, name, text, { look: 'second' }) : undefined;
    return html`${protectionCard(items, texts)}
    ${carried.isFresh ? undefined : confirmFirst(carried, 'account.confirm_security')}
    ${card(
      { icon: 'key', title: texts.text('security.passkeys'), state: stateOf(of('passkey'), texts) },
      list(shown('passkey'), texts.text('security.no_passkey')),
      add('add_passkey', texts.text('passkey.add')),
    )}
    ${card(
      { icon: 'phone', title: texts.text('security.apps'), state: stateOf(of('totp'), texts) },
      list(shown('totp'), texts.text('security.no_app')),
      add('add_totp', texts.text('totp.add')),
    )}
    ${authenticators > 0 ? recoveryCodes(carried) : undefined}
    ${await identitiesPart(api, carried, methods)}
    ${card(
      { icon: 'lock', title: texts.text('security.password') },
      html`<details>
        <summary>${texts.text('security.change_password')}</summary>
        ${passwordForm(carried, api.login.identifier)}
      </details>`,
    )}`;
  },
  actions: {
    ...identityActions,
    async change_password(api, { current = '', secret = '' }) {
      const body = { current_password: current, password: secret };
      await api.call(updateMe, { ...NOTHING, body });
      return { done: 'password_changed' };
    },
    async add_totp(api, _fields, carried) {
      const created = await api.call(contract.addTotp, { ...NOTHING, body: {} });
      return { show: await totpForm(carried, created) };
    },
    async confirm_totp(api, { id = '', code = '' }, { texts }) {
      const body = { code: code.replaceAll(/\s/g, '') };
      const params = { factor_id: id };
      const added = await api.call(contract.confirmTotp, { params, query: {}, body });
      return shownOrDone(added.recovery_codes, texts);
    },
    async add_passkey(api, _fields, carried) {
      const { options } = await api.call(offerPasskey, { ...NOTHING, body: undefined });
      return { show: passkeyForm(carried, options) };
    },
    async save_passkey(api, { credential = '' }, { texts }) {
      const body = { credential: credentialIn(credential) };
      const added = await api.call(addPasskey, { ...NOTHING, body });
      return shownOrDone(added.recovery_codes, texts);
    },
    async rename_factor(api, { id = '', name = '' }) {
      const request = { params: { factor_id: id }, query: {}, body: { name } };
      await api.call(contract.updateFactor, request);
      return { done: 'factor_renamed' };
    },
    async remove_factor(api, { id = '' }) {
      const request = { params: { factor_id: id }, query: {}, body: undefined };
      await api.call(contract.deleteFactor, request);
      return { done: 'factor_removed' };
    },
    async renew_codes(api, _fields, { texts }) {
      const request = { ...NOTHING, body: undefined };
      const { recovery_codes: codes } = await api.call(contract.createRecoveryCodes, request);
      return { show: codesView(codes, texts) };
    },
  },
};

/** Whether a method is set up. */
function stateOf(factors: readonly FactorRecord[], texts: Texts): Html {
  return factors.length > 0
    ? html`<span class="mark ok">${texts.text('security.on')}</span>`
    : html`<span class="mark">${texts.text('security.off')}</span>`;
}

/** How well the account is protected. */
export function protectionCard(factors: readonly FactorRecord[], texts: Texts, more?: Html): Html {
  const has = (type: FactorRecord['type']) =>
    factors.some((factor) => factor.type === type && factor.confirmed_at !== null);
  const [level, text, mark] = has('passkey')
    ? (['security.strong', 'overview.by_passkey', html`mark ok`] as const)
    : has('totp')
      ? (['security.good', 'overview.by_second_factor', html`mark ok`] as const)
      : (['security.weak', 'overview.by_first_factor', html`mark bad`] as const);
  const state = html`<span class="${mark}">${texts.text(level)}</span>`;
  const title = texts.text('overview.protection');
  return card({ icon: 'shield', title, state }, html`<p>${texts.text(text)}</p>`, more);
}

interface RemovalContext {
  readonly tenant: Tenant;
  readonly methods: UserLoginMethods;
  /** The number of the user's confirmed authenticators. */
  readonly authenticators: number;
}

/** Returns why a factor cannot be removed, by the same rules as the route. */
function reasonToStay(
  { type }: FactorRecord,
  { tenant, methods, authenticators }: RemovalContext,
): 'account.problem.last_factor' | 'account.problem.last_login' | undefined {
  if (authenticators === 1 && tenant.config.require_mfa) return 'account.problem.last_factor';
  if (type !== 'passkey') return undefined;
  const left = { ...methods, passkeys: methods.passkeys - 1 };
  return canLogIn(tenant, left) ? undefined : 'account.problem.last_login';
}

function itemOf(factor: FactorRecord, carried: Carried, stays: ReturnType<typeof reasonToStay>) {
  const { id, name, created_at: at, last_used_at: used, passkey } = factor;
  const { texts } = carried;
  const added = time(at, texts);
  const changes = [
    html`<details>
      <summary>${texts.text('security.rename')}</summary>
      ${action(carried, 'rename_factor', texts.text('security.save_name'), {
        hidden: { id },
        fields: html`<label
          >${texts.text('security.name')}
          <input name="name" value="${name}" required maxlength="128"
        /></label>`,
        look: 'second',
      })}
    </details>`,
    stays
      ? undefined
      : action(carried, 'remove_factor', texts.text('addresses.remove'), {
          hidden: { id },
          look: 'danger',
        }),
  ];
  return {
    title: html`<bdi id="factor-${id}">${name}</bdi>`,
    actionsOf: `factor-${id}`,
    lines: [
      used === null
        ? texts.html('security.never_used', { added })
        : texts.html('security.used', { added, used: time(used, texts) }),
      passkey?.is_synced ? texts.text('security.synced') : undefined,
      stays && texts.text(stays),
    ],
    actions: carried.isFresh ? changes : [],
  };
}

function recoveryCodes(carried: Carried): Html {
  const { texts } = carried;
  return card(
    { icon: 'lock', title: texts.text('security.codes') },
    html`<p class="hint">${texts.text('security.codes_text')}</p>`,
    carried.isFresh
      ? action(carried, 'renew_codes', texts.text('security.new_codes'), { look: 'second' })
      : undefined,
  );
}

/** Renders the password form, which contains the identifier for password managers. */
function passwordForm(carried: Carried, identifier: string): Html {
  const { texts } = carried;
  return action(carried, 'change_password', texts.text('security.change_password'), {
    fields: html`<input name="identifier" value="${identifier}" autocomplete="username" hidden />
      ${input('current', texts.text('security.current_password'), {
        type: 'password',
        autocomplete: 'current-password',
      })}
      ${input('secret', texts.text('field.new_password'), { type: 'password', autocomplete: 'new-password' })}`,
    look: 'second',
  });
}

function shownOrDone(codes: readonly string[] | null, texts: Texts): Acted {
  return codes ? { show: codesView(codes, texts) } : { done: 'factor_added' };
}

/** @throws AppError VALIDATION_FAILED if the text is malformed; the route's schema checks the rest */
function credentialIn(text: string): BodyOf<typeof addPasskey>['credential'] {
  try {
    return JSON.parse(text) as BodyOf<typeof addPasskey>['credential'];
  } catch {
    throw new AppError('VALIDATION_FAILED');
  }
}

/** Renders the user's accounts at identity providers; undefined if the tenant has no provider. */
async function identitiesPart(
  api: UserApi,
  carried: Carried,
  methods: UserLoginMethods,
): Promise<Html | undefined> {
  const { texts, isFresh } = carried;
  const offered = offersUpstream(api.tenant) ? api.tenant.providers : [];
  const { items } = await api.call(identityRoutes.listIdentities, WHOLE);
  if (items.length + offered.length === 0) return undefined;
  const left = offered.filter(({ id }) => !items.some((identity) => identity.provider_id === id));
  const links = left.map(({ id, name }) =>
    action(carried, 'link_identity', texts.html('identities.link', { provider: name }), {
      hidden: { id },
      look: 'second',
    }),
  );
  const shown = items.map((identity) =>
    identityItem(identity, carried, canLogIn(api.tenant, without(identity, methods))),
  );
  return card(
    { icon: 'link', title: texts.text('identities.title') },
    list(shown, texts.text('identities.none')),
    isFresh ? html`<div class="do">${links}</div>` : undefined,
  );
}

/** Links the account at a provider, if this user started the linking. */
export async function finishLinking(api: UserApi, handoff: string): Promise<void> {
  const request = { params: {}, query: {}, body: { handoff } };
  await api.call(identityRoutes.finishLinking, request);
}

/** Returns the login methods that remain without an identity. Identities at inactive providers do not count. */
function without(
  { is_active: isActive }: IdentityRecord,
  methods: UserLoginMethods,
): UserLoginMethods {
  return isActive ? { ...methods, identities: methods.identities - 1 } : methods;
}

function identityItem(
  { provider_id: id, name, is_active: isActive }: IdentityRecord,
  carried: Carried,
  isRemovable: boolean,
) {
  const { texts, isFresh } = carried;
  const remove = action(carried, 'remove_identity', texts.text('addresses.remove'), {
    hidden: { id },
    look: 'danger',
  });
  return {
    title: html`<bdi id="identity-${id}">${name}</bdi>`,
    actionsOf: `identity-${id}`,
    lines: [
      isActive ? undefined : texts.text('identities.inactive'),
      isRemovable ? undefined : texts.text('account.problem.last_login'),
    ],
    actions: isFresh && isRemovable ? [remove] : [],
  };
}

/** The key of a new authenticator app. */
async function totpForm(carried: Carried, { id, secret, uri }: CreatedTotp): Promise<Html> {
  const groups = secret.match(/.{1,4}/g) ?? [];
  const { texts } = carried;
  return html`<p>${texts.html('totp.key', { link: { href: uri } })}</p>
    ${await qrOf(uri, texts.text('totp.qr'))}
    <p><code id="totp-key">${groups.join(' ')}</code></p>
    ${action(carried, 'confirm_totp', texts.text('action.continue'), {
      hidden: { id },
      fields: input('code', texts.text('totp.code'), {
        autocomplete: 'one-time-code',
        isNumeric: true,
      }),
    })}
    ${back(carried)}`;
}

/** Shows new recovery codes. They are shown only once. */
function codesView(codes: readonly string[], texts: Texts): Html {
  return html`<h2>${texts.text('codes.title')}</h2>
    <p>${texts.text('security.codes_lead')}</p>
    ${codesList(codes, 'account?section=security', texts)}`;
}

const PASSKEY_SCRIPT = script(`
const form = document.getElementById('passkey'), problem = document.getElementById('passkey-problem');
const ask = async () => {
  problem.hidden = true;
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(form.dataset.options));
    const credential = await navigator.credentials.create({ publicKey });
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch { problem.hidden = false; }
};
document.getElementById('passkey-again').addEventListener('click', (event) => { event.preventDefault(); ask(); });
ask();
`);

/** Renders the passkey form. Creating a passkey always requires a script. */
function passkeyForm(carried: Carried, options: object): Html {
  const { section, session, token, texts } = carried;
  const fields = { section, session, action: 'save_passkey', credential: '' };
  return html`<p>${texts.text('security.passkey_lead')}</p>
    <form method="post" action="account" id="passkey" data-options="${JSON.stringify(options)}">
      ${token}${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button id="passkey-again">${texts.text('passkey.ask_again')}</button>
    </form>
    <p role="alert" id="passkey-problem" hidden>${texts.text('passkey.not_made')}</p>
    <noscript><p role="alert">${texts.text('passkey.needs_script')}</p></noscript>
    ${back(carried)}${PASSKEY_SCRIPT}`;
}
