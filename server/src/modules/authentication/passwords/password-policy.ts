import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Log } from '../../../platform/log.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { type FindBreach, isCommonPassword, passwordFlaw } from './password-rules.ts';
import { type HashFile, openHashFile, sha1Of, createRanges } from './breached-passwords.ts';

/** A user with a breached password is told so once in this time. */
const TELL_AGAIN_SECONDS = 30 * 24 * 60 * 60;

/** A password that somebody wants to have. */
interface Candidate {
  readonly secret: string;
  /** Of its user. */
  readonly identifiers: readonly string[];
  readonly from: Origin;
}

/** What new passwords have to be like. */
export interface PasswordPolicy {
  /** What is wrong with it; undefined if it is acceptable. */
  flaw(tenant: Tenant, candidate: Candidate): Promise<string | undefined>;
  /** @throws AppError VALIDATION_FAILED, naming the field */
  require(
    tenant: Tenant,
    candidate: Candidate,
    path: string,
    fail: Fail<'VALIDATION_FAILED'>,
  ): Promise<void>;
}

/** Tells a user, after a login with the right password, that it is known from a breach. Does not wait. */
export type TellOfBreach = (
  tenant: Tenant,
  userId: UserId,
  device: { readonly from: Origin; readonly userAgent: string | null },
  secret: string,
) => void;

/** Whether a right password has to be replaced: it is known from a breach, and the tenant requires another one then. */
export type MustReplace = (tenant: Tenant, secret: string, from: Origin) => Promise<boolean>;

interface Dependencies {
  readonly config: Config;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly log: Log;
  readonly gate: Gate;
  readonly notes: Notes;
  readonly notify: Notify;
}

export function createBreaches(dependencies: Dependencies): {
  readonly passwordPolicy: PasswordPolicy;
  readonly tellOfBreach: TellOfBreach;
  readonly mustReplace: MustReplace;
  /** Closes the file of breached passwords. */
  readonly close: () => Promise<void>;
} {
  const { config, log } = dependencies;
  const { file: filePath } = config.breachedPasswords;
  const file = filePath === undefined ? undefined : openHashFile(filePath);
  const findBreach = createFindBreach(dependencies, file);
  const policy: PasswordPolicy = {
    flaw: (tenant, { secret, identifiers, from }) =>
      passwordFlaw(secret, tenant.config, {
        findBreach: (normalised) => findBreach(tenant, normalised, from),
        names: [tenant.name, tenant.id.replace(/^org_/, ''), ...identifiers],
      }),
    async require(tenant, candidate, path, fail) {
      const message = await policy.flaw(tenant, candidate);
      if (message !== undefined) fail('VALIDATION_FAILED', { errors: [{ path, message }] });
    },
  };
  return {
    passwordPolicy: policy,
    mustReplace: async (tenant, secret, from) =>
      tenant.config.breached_at_login === 'require' &&
      (await findBreach(tenant, secret.normalize('NFKC'), from)) !== undefined,
    tellOfBreach: (tenant, userId, { from, userAgent }, secret) => {
      const { breached_at_login: wanted } = tenant.config;
      if (wanted !== 'notify' || !tenant.sendsMail) return;
      const tell = async () => {
        if (!(await findBreach(tenant, secret.normalize('NFKC'), from))) return;
        await dependencies.gate.into(tenant.id).transaction((tx) =>
          dependencies.notify(tx, tenant, {
            userId,
            kind: 'notice.password_breached',
            device: userAgent,
            oncePerSeconds: TELL_AGAIN_SECONDS,
          }),
        );
      };
      tell().catch((error: unknown) => {
        log.warn({ err: error }, 'a user with a breached password could not be told');
      });
    },
    close: async () => file?.close(),
  };
}

/** Finds a password in what its tenant compares passwords with. What cannot be asked does not refuse it. */
function createFindBreach(
  { config, clock, egress, notes, log }: Dependencies,
  file: HashFile | undefined,
) {
  const ranges = createRanges(egress, clock, config.breachedPasswords.url);

  async function askFile(hash: Buffer): Promise<boolean | undefined> {
    try {
      return await file?.has(hash);
    } catch (error) {
      log.error({ err: error }, 'the file of breached passwords cannot be read');
      return undefined;
    }
  }

  return async (tenant: Tenant, normalised: string, from: Origin): ReturnType<FindBreach> => {
    const { breached_passwords: source } = tenant.config;
    if (source === 'off') return undefined;
    if (await isCommonPassword(normalised)) return 'list';
    if (source === 'list') return undefined;
    const hash = sha1Of(normalised);
    const answer = source === 'range' ? await ranges.has(hash) : await askFile(hash);
    if (answer === undefined) {
      notes.count(tenant.id, from, {
        action: 'auth.breach_check_failed',
        target: { kind: 'tenant', id: tenant.id },
        outcome: 'failure',
        details: { source },
      });
    }
    return answer ? 'breach' : undefined;
  };
}
