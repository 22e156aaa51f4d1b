import type { FactorRecord } from '@keywright/contract/records/factor';
import * as contract from '@keywright/contract/routes/factors';
import { updateMe } from '@keywright/contract/routes/me';
import { addPasskey, offerPasskey } from '@keywright/contract/routes/passkeys';
import type { BodyOf } from '@keywright/contract/route';
import { AppError } from '@keywright/contract/errors';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { hasAWay, type Ways } from '../../authentication/login-methods/index.ts';
import { identitiesPart, identityActions } from './identities.ts';
import { action, type Carried, confirmFirst, input, list, time } from './parts.ts';
import { type Acted, type Section, WHOLE } from './section.ts';
import { codesView, passkeyForm, totpForm } from './security-view.ts';

const NOTHING = { params: {}, query: {} } as const;

/** Password, passkeys, authenticator apps and recovery codes. */
export const security: Section = {
  async show(api, carried) {
    const { items } = await api.call(contract.listFactors, WHOLE);
    const confirmed = items.filter((one) => one.confirmed_at !== null);
    const of = (type: FactorRecord['type']) => confirmed.filter((one) => one.type === type);
    const { texts } = carried;
    const ways = await api.findWays();
    const authenticators = of('passkey').length + of('totp').length;
    const held = { tenant: api.tenant, ways, authenticators };
    const shown = (type: FactorRecord['type']) =>
      of(type).map((one) => itemOf(one, carried, stayingOf(one, held)));
    return html`
      <h2>${texts.text('security.passkeys')}</h2>
      ${list(shown('passkey'), texts.text('security.no_passkey'))}
      ${carried.isFresh ? action(carried, 'add_passkey', texts.text('passkey.add'), { look: 'second' }) : undefined}
      <h2>${texts.text('security.apps')}</h2>
      ${list(shown('totp'), texts.text('security.no_app'))}
      ${carried.isFresh ? action(carried, 'add_totp', texts.text('totp.add'), { look: 'second' }) : undefined}
      ${authenticators > 0 ? recoveryCodes(carried) : undefined}
      ${await identitiesPart(api, carried, ways)}
      ${carried.isFresh ? undefined : confirmFirst(carried, 'account.confirm_security')}
      <h2>${texts.text('security.password')}</h2>
      ${passwordForm(carried, api.login.identifier)}
    `;
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
      const asked = { params: { factor_id: id }, query: {}, body: { name } };
      await api.call(contract.updateFactor, asked);
      return { done: 'factor_renamed' };
    },
    async remove_factor(api, { id = '' }) {
      const asked = { params: { factor_id: id }, query: {}, body: undefined };
      await api.call(contract.deleteFactor, asked);
      return { done: 'factor_removed' };
    },
    async renew_codes(api, _fields, { texts }) {
      const asked = { ...NOTHING, body: undefined };
      const { recovery_codes: codes } = await api.call(contract.createRecoveryCodes, asked);
      return { show: codesView(codes, texts) };
    },
  },
};

interface Held {
  readonly tenant: Tenant;
  readonly ways: Ways;
  /** How many of the user are confirmed. */
  readonly authenticators: number;
}

/** Why a factor cannot be removed, as the route decides. */
function stayingOf(
  { type }: FactorRecord,
  { tenant, ways, authenticators }: Held,
): 'account.problem.last_factor' | 'account.problem.last_login' | undefined {
  if (authenticators === 1 && tenant.config.require_mfa) return 'account.problem.last_factor';
  if (type !== 'passkey') return undefined;
  const left = { ...ways, passkeys: ways.passkeys - 1 };
  return hasAWay(tenant, left) ? undefined : 'account.problem.last_login';
}

function itemOf(factor: FactorRecord, carried: Carried, stays: ReturnType<typeof stayingOf>) {
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
      : action(carried, 'remove_factor', texts.html('account.remove', { name }), {
          hidden: { id },
          look: 'danger',
        }),
  ];
  return {
    title: html`<bdi>${name}</bdi>`,
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
  return html`<h2>${texts.text('security.codes')}</h2>
    <p class="hint">${texts.text('security.codes_text')}</p>
    ${carried.isFresh ? action(carried, 'renew_codes', texts.text('security.new_codes'), { look: 'second' }) : undefined}`;
}

/** Password managers need to know whose it is. */
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

/** @throws AppError VALIDATION_FAILED; the schema of the route checks the rest */
function credentialIn(text: string): BodyOf<typeof addPasskey>['credential'] {
  try {
    return JSON.parse(text) as BodyOf<typeof addPasskey>['credential'];
  } catch {
    throw new AppError('VALIDATION_FAILED');
  }
}
