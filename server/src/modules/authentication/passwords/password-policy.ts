import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { Log } from '../../../platform/log.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { HashFile, HashRanges, sha1Of } from './breached-passwords.ts';
import { type Breach, isCommonPassword, passwordFlaw } from './password-rules.ts';

/** Users with a breached password are notified once in this time. */
const NOTIFY_AGAIN_SECONDS = 30 * 24 * 60 * 60;

/** A new password of a user. */
interface Candidate {
  readonly secret: string;
  /** Of its user. */
  readonly identifiers: readonly string[];
  readonly from: Origin;
}

/** Applies a tenant's rules to new passwords, and to breached passwords that users still log in with. */
export class PasswordPolicy {
  readonly #gate: Gate;
  readonly #log: Log;
  readonly #notes: Notes;
  readonly #notify: Notify;
  readonly #file: HashFile | undefined;
  readonly #ranges: HashRanges;

  constructor(core: Core, notes: Notes, notify: Notify) {
    const { file, url } = core.config.breachedPasswords;
    this.#gate = core.gate;
    this.#log = core.log;
    this.#notes = notes;
    this.#notify = notify;
    this.#file = file === undefined ? undefined : new HashFile(file);
    this.#ranges = new HashRanges(core.egress, core.clock, url);
  }

  /** Returns the flaw of a new password; undefined if it is acceptable. */
  flaw(tenant: Tenant, { secret, identifiers, from }: Candidate): Promise<string | undefined> {
    return passwordFlaw(secret, tenant.config, {
      findBreach: (normalized) => this.#findBreach(tenant, normalized, from),
      names: [tenant.name, tenant.id.replace(/^org_/, ''), ...identifiers],
    });
  }

  /** @throws AppError VALIDATION_FAILED, naming the field */
  async require(
    tenant: Tenant,
    candidate: Candidate,
    path: string,
    fail: Fail<'VALIDATION_FAILED'>,
  ): Promise<void> {
    const message = await this.flaw(tenant, candidate);
    if (message !== undefined) fail('VALIDATION_FAILED', { errors: [{ path, message }] });
  }

  /** Whether a correct password must be replaced, because it is breached and the tenant then requires a new one. */
  async mustReplace(tenant: Tenant, secret: string, from: Origin): Promise<boolean> {
    return (
      tenant.config.breached_at_login === 'require' &&
      (await this.#findBreach(tenant, secret.normalize('NFKC'), from)) !== undefined
    );
  }

  /** Notifies a user of a breached password, after a login with it, without waiting for the result. */
  notifyIfBreached(
    tenant: Tenant,
    userId: UserId,
    device: Pick<Device, 'from' | 'userAgent'>,
    secret: string,
  ): void {
    if (tenant.config.breached_at_login !== 'notify' || !tenant.sendsMail) return;
    this.#checkAndNotify(tenant, userId, device, secret).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'a user with a breached password could not be told');
    });
  }

  async #checkAndNotify(
    tenant: Tenant,
    userId: UserId,
    { from, userAgent }: Pick<Device, 'from' | 'userAgent'>,
    secret: string,
  ): Promise<void> {
    if (!(await this.#findBreach(tenant, secret.normalize('NFKC'), from))) return;
    await this.#gate.into(tenant.id).transaction((tx) =>
      this.#notify(tx, tenant, {
        userId,
        kind: 'notice.password_breached',
        device: userAgent,
        oncePerSeconds: NOTIFY_AGAIN_SECONDS,
      }),
    );
  }

  /** Closes the file of breached passwords. */
  async close(): Promise<void> {
    await this.#file?.close();
  }

  /**
   * Looks a password up in the tenant's source of breached passwords. If the source is unavailable, the password is
   * accepted.
   */
  async #findBreach(tenant: Tenant, normalized: string, from: Origin): Promise<Breach | undefined> {
    const { breached_passwords: source } = tenant.config;
    if (source === 'off') return undefined;
    if (await isCommonPassword(normalized)) return 'list';
    if (source === 'list') return undefined;
    const hash = sha1Of(normalized);
    const isBreached =
      source === 'range' ? await this.#ranges.has(hash) : await this.#findInFile(hash);
    if (isBreached === undefined) {
      this.#notes.count(tenant.id, from, {
        action: 'auth.breach_check_failed',
        target: { kind: 'tenant', id: tenant.id },
        outcome: 'failure',
        details: { source },
      });
    }
    return isBreached ? 'breach' : undefined;
  }

  /** @returns undefined if the file cannot be read */
  async #findInFile(hash: Buffer): Promise<boolean | undefined> {
    try {
      return await this.#file?.has(hash);
    } catch (error) {
      this.#log.error({ err: error }, 'the file of breached passwords cannot be read');
      return undefined;
    }
  }
}
