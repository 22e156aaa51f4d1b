import { createHmac } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import { SECRET_MAX_LENGTH, type TenantConfig } from '@keywright/contract/records/tenant';
import { decoyOf } from '../../../platform/crypto/foreign-hash.ts';
import type { Log } from '../../../platform/log.ts';
import type { Device, Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { ForeignHashes, Tenant } from '../../../tenancy/tenant.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import { HashFile, HashRanges, sha1Of } from './breached-passwords.ts';

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
  readonly #notices: Notices;
  readonly #file: HashFile | undefined;
  readonly #ranges: HashRanges;

  constructor(core: Core, notes: Notes, notices: Notices) {
    const { file, url } = core.config.breachedPasswords;
    this.#gate = core.gate;
    this.#log = core.log;
    this.#notes = notes;
    this.#notices = notices;
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
      this.#log.warn({ err: error }, 'a user with a breached password could not be notified');
    });
  }

  async #checkAndNotify(
    tenant: Tenant,
    userId: UserId,
    device: Pick<Device, 'from' | 'userAgent'>,
    secret: string,
  ): Promise<void> {
    if (!(await this.#findBreach(tenant, secret.normalize('NFKC'), device.from))) return;
    await this.#gate.into(tenant.id).transaction((tx) =>
      this.#notices.notify(tx, tenant, {
        userId,
        kind: 'notice.password_breached',
        device,
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

const SPECIAL = /[^\p{L}\p{N}\s]/u;
/** The shortest password that any tenant accepts. Without the names in it, a password must still be this long. */
const SHORTEST = 8;
const SHORTEST_NAME = 3;

type Rules = Pick<TenantConfig, 'password_min_length' | 'password_require_special'>;

/** The source that a password was found in. */
export type Breach = 'list' | 'breach';
type FindBreach = (normalized: string) => Promise<Breach | undefined>;

const MESSAGE_OF: Readonly<Record<Breach, string>> = {
  list: 'is one of the most common passwords',
  breach: 'appeared in a data breach of another service',
};

const findInList: FindBreach = async (normalized) =>
  (await isCommonPassword(normalized)) ? 'list' : undefined;

/** The data that a new password is compared with. */
interface Comparisons {
  /** Finds the source that contains a password after NFKC, if any. */
  readonly findBreach: FindBreach;
  /** The names of the user and the tenant (ASVS 6.2.11). */
  readonly names: readonly string[];
}

/** Returns the flaw of a new password; undefined if it is acceptable. Characters are counted after NFKC. */
export async function passwordFlaw(
  password: string,
  rules: Rules,
  { findBreach, names }: Comparisons = { findBreach: findInList, names: [] },
): Promise<string | undefined> {
  const normalized = password.normalize('NFKC');
  const length = lengthOf(normalized);
  if (length > SECRET_MAX_LENGTH) return `has more than ${SECRET_MAX_LENGTH} characters`;
  if (length < rules.password_min_length) {
    return `needs at least ${rules.password_min_length} characters`;
  }
  if (rules.password_require_special && !SPECIAL.test(normalized)) {
    return 'needs a character that is not a letter or a digit';
  }
  if (consistsOf(normalized, names)) return 'is too similar to a name of the user or the tenant';
  const breach = await findBreach(normalized);
  return breach && MESSAGE_OF[breach];
}

function consistsOf(password: string, names: readonly string[]): boolean {
  let rest = password.toLowerCase();
  for (const name of partsOf(names)) rest = rest.replaceAll(name, '');
  return lengthOf(rest) < SHORTEST;
}

/** The names and their parts, such as those of an email address, the longest first. */
function partsOf(names: readonly string[]): string[] {
  const whole = names.map((name) => name.normalize('NFKC').toLowerCase());
  const parts = whole.concat(whole.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)));
  const long = new Set(parts.filter((part) => lengthOf(part) >= SHORTEST_NAME));
  return [...long].toSorted((left, other) => other.length - left.length);
}

/** Rejects a secret of unacceptable length before any hash is computed. */
export function requireBoundedSecret(
  secret: string,
  path: string,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (lengthOf(secret.normalize('NFKC')) > SECRET_MAX_LENGTH) {
    const message = `has more than ${SECRET_MAX_LENGTH} characters`;
    fail('VALIDATION_FAILED', { errors: [{ path, message }] });
  }
}

/** Characters as code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Whether a password is among the 49,000 most common ones, ignoring case. Loaded on first use. */
async function isCommonPassword(password: string): Promise<boolean> {
  list ??= readList();
  return (await list).has(password.toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords: readonly string[] = dictionary['passwords-common'];
  return new Set(
    passwords
      .filter((password) => password.length >= SHORTEST)
      .map((password) => password.toLowerCase()),
  );
}

const SCALE = 2 ** 48;

/**
 * Returns the hash to verify for an identifier without a hash, so that verification takes as long as for a known
 * identifier: each scheme is assigned to the same share of identifiers as of users. The scheme of an identifier is
 * secret, and always the same.
 * @returns undefined for a hash with the scheme of this service
 */
export function decoyFor(
  hashes: ForeignHashes | undefined,
  identifier: string,
): string | undefined {
  if (!hashes) return undefined;
  let others = hashes.total;
  for (const scheme of Object.keys(hashes.schemes).toSorted()) {
    const users = hashes.schemes[scheme] ?? 0;
    if (fractionOf(hashes.key, scheme, identifier) < users / others) return decoyOf(scheme);
    others -= users;
  }
  return undefined;
}

/** Returns a number from 0 to 1 that is always the same for an identifier. */
function fractionOf(key: string, scheme: string, identifier: string): number {
  const mac = createHmac('sha256', Buffer.from(key, 'base64'));
  return (
    mac
      .update(JSON.stringify([scheme, identifier]))
      .digest()
      .readUIntBE(0, 6) / SCALE
  );
}
