import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { MASKED_SECRET } from '@keywright/contract/records/tenant';
import { seal } from '../../../platform/crypto/sealed.ts';
import { messagingPlace } from '../../../tenancy/tenant.ts';
import type { EmailSettings } from './message.ts';

/** The settings that decide where a password is sent, and for whom. */
const RECIPIENT = ['smtp_host', 'smtp_port', 'smtp_security', 'smtp_username'] as const;

interface Unsaved {
  readonly tenantId: TenantId;
  /** What the tenant has saved. */
  readonly stored: EmailSettings;
  readonly typed: EmailSettings;
}

/**
 * Returns email settings that are tested before they are saved, as they would be stored. The stored password is used
 * only with the server and user name that it was entered for.
 * @throws AppError VALIDATION_FAILED if no email could be sent with them
 */
export function unsavedEmail(
  dataKey: Buffer,
  { tenantId, stored, typed }: Unsaved,
  fail: Fail<'VALIDATION_FAILED'>,
): EmailSettings {
  for (const name of ['smtp_host', 'from_address'] as const) {
    if (typed[name] === undefined) refuse(name, 'is required for a test', fail);
  }
  const { smtp_password: password, ...settings } = typed;
  if (password !== undefined && password !== MASKED_SECRET) {
    const place = messagingPlace(tenantId, 'email', 'smtp_password');
    const sealed = seal(dataKey, Buffer.from(password), place).toString('base64');
    return { ...settings, smtp_password: sealed };
  }
  const { smtp_password: storedPassword } = stored;
  if (storedPassword === undefined || settings.smtp_username === undefined) return settings;
  const changed = RECIPIENT.find((name) => settings[name] !== stored[name]);
  if (changed) refuse('smtp_password', `must be sent again when ${changed} changes`, fail);
  return { ...settings, smtp_password: storedPassword };
}

function refuse(name: string, message: string, fail: Fail<'VALIDATION_FAILED'>): never {
  return fail('VALIDATION_FAILED', { errors: [{ path: `/email/${name}`, message }] });
}
