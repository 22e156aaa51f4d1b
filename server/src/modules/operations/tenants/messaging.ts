import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import {
  MASKED_SECRET,
  type TenantMessaging,
  type TenantMessagingPatch,
  type TenantConfigPatch,
  type TenantRecord,
} from '@keywright/contract/records/tenant';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { isEmpty } from '../../../platform/patch.ts';
import { hasPhoneNumbers } from '../../../platform/phone.ts';
import { messagingPlace, sendsSms } from '../../../tenancy/tenant.ts';
import { mergeSettings } from './tenant-rules.ts';

/** The secrets in the messaging settings, by group and field. They are stored sealed and never shown. */
const SECRETS = [
  ['email', 'smtp_password'],
  ['sms', 'auth_token'],
  ['sms', 'secret'],
] as const;

type Groups = Record<string, Record<string, unknown> | null | undefined>;

/** Seals the secrets of a change under the tenant's data key. A masked secret leaves the stored secret unchanged. */
export function sealMessaging(
  messaging: TenantMessagingPatch,
  tenantId: TenantId,
  dataKey: Buffer,
): Groups {
  const groups = structuredClone(messaging) as Groups;
  for (const [group, field] of SECRETS) {
    const value = groups[group]?.[field];
    if (value === MASKED_SECRET) delete groups[group]?.[field];
    else if (typeof value === 'string' && groups[group]) {
      const sealed = seal(dataKey, Buffer.from(value), messagingPlace(tenantId, group, field));
      groups[group][field] = sealed.toString('base64');
    }
  }
  return groups;
}

/** Returns the settings for a response, with eight stars for each configured secret. */
export function maskMessaging(stored: unknown): TenantMessaging {
  const groups: Record<string, Record<string, unknown>> = { ...(stored as object) };
  for (const [group, field] of SECRETS) {
    const settings = groups[group];
    if (settings && field in settings) groups[group] = { ...settings, [field]: MASKED_SECRET };
  }
  return groups;
}

/** Merges each group field by field, and removes groups without fields. */
export function mergeMessaging(stored: unknown, change: Groups): object {
  const groups: Record<string, unknown> = { ...(stored as object) };
  for (const [group, fields] of Object.entries(change)) {
    const merged = fields ? mergeSettings(groups[group], fields) : {};
    if (isEmpty(merged)) delete groups[group];
    else groups[group] = merged;
  }
  return groups;
}

type SmsSettings = NonNullable<TenantMessaging['sms']>;

interface Patch {
  readonly config?: TenantConfigPatch;
  readonly messaging?: TenantMessagingPatch;
}

/** An attacker who guesses a shorter secret could forge our requests. */
const SECRET_CHARACTERS = 16;

/** The fields that each provider requires. */
const NEEDED = {
  twilio: ['account_sid', 'auth_token', 'from'],
  vonage: ['account_sid', 'auth_token', 'from'],
  webhook: ['url', 'secret'],
} as const satisfies Record<string, readonly (keyof SmsSettings)[]>;

/** Rejects SMS settings that could never send a message. */
export async function requireSms(
  egress: Egress,
  patch: Patch,
  after: Pick<TenantRecord, 'config' | 'messaging'>,
  { showsMessages }: { readonly showsMessages: boolean },
  fail: Fail<'VALIDATION_FAILED' | 'METHOD_NOT_READY'>,
): Promise<void> {
  const { sms = {} } = after.messaging;
  if (patch.messaging?.sms) requireGoodProvider(egress, patch.messaging.sms, sms, fail);
  await requireCountries(patch.config?.sms_countries ?? [], fail);
  const isTouched = patch.config?.sms_countries !== undefined || patch.messaging?.sms !== undefined;
  if (!isTouched || !sendsSms(after.config) || showsMessages) return;
  const missing = missingOf(sms);
  if (missing.length > 0) {
    fail('METHOD_NOT_READY', {
      detail: `Text messages need messaging.sms. These settings are missing: ${missing.join(', ')}. Without countries (sms_countries), none are sent.`,
    });
  }
}

function missingOf(sms: SmsSettings): readonly string[] {
  if (sms.provider === undefined) return ['provider'];
  return NEEDED[sms.provider].filter((name) => sms[name] === undefined);
}

function requireGoodProvider(
  egress: Egress,
  { secret }: NonNullable<TenantMessagingPatch['sms']>,
  { url }: SmsSettings,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const objections = [
    ['url', url === undefined ? undefined : egress.findObjection(url)?.detail],
    ['secret', secret && secret !== MASKED_SECRET ? objectionTo(secret) : undefined],
  ] as const;
  for (const [name, objection] of objections) {
    if (objection === undefined) continue;
    const message = name === 'url' ? `cannot be used. ${objection}` : objection;
    fail('VALIDATION_FAILED', { errors: [{ path: `/messaging/sms/${name}`, message }] });
  }
}

function objectionTo(secret: string): string | undefined {
  if (secret.length >= SECRET_CHARACTERS) return undefined;
  return `has fewer than ${SECRET_CHARACTERS} characters`;
}

async function requireCountries(
  countries: readonly string[],
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  for (const [index, country] of countries.entries()) {
    if (await hasPhoneNumbers(country)) continue;
    const message = 'is not a country with its own phone numbers';
    fail('VALIDATION_FAILED', { errors: [{ path: `/config/sms_countries/${index}`, message }] });
  }
}
