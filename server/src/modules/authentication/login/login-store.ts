import type { UserId } from '@keywright/contract/ids';
import {
  startLogins as start,
  type StartLoginsRow,
} from '../../../../sql/authentication/kw_start_logins.ts';
import {
  type CountedLimit,
  type Attempt,
  type Attempted,
  inLockOrder,
} from '../../../tenancy/counters.ts';
import { from, type Gate, type TenantData } from '../../../tenancy/gate.ts';
import type { KnownDevice } from '../flows/index.ts';

/** One counter of a login, with its limit. */
export interface LoginLimit extends Attempt, CountedLimit {}

/** The fields of an identifier's user that a login needs. */
export type LoginRow =
  | {
      readonly user_id: UserId;
      readonly is_active: boolean;
      readonly auth_version: number;
      readonly has_second_factor: boolean;
      readonly secret_hash: string | null;
    }
  | { readonly user_id: null; readonly secret_hash: string | null };

/** The counters and the lookup of a login, before a hash is computed. */
export interface LoginStart extends Attempted<LoginLimit> {
  readonly identifier: string;
  readonly device: KnownDevice | undefined;
  readonly now: Date;
}

/** `is_device_known`: only the device's counter was used. */
export type LoginStartRow = StartLoginsRow;

/** Counts the attempts of many logins, and finds the users of the admitted ones. Rows are in the order of the logins. */
export function startLogins(gate: Gate, logins: readonly LoginStart[]): Promise<LoginStartRow[]> {
  const counters = inLockOrder(logins);
  return gate.callMany(start, {
    tenants: logins.map((one) => one.tenantId),
    identifiers: logins.map((one) => one.identifier),
    now: logins.map((one) => one.now),
    deviceUsers: logins.map((one) => one.device?.userId ?? null),
    deviceVersions: logins.map((one) => one.device?.authVersion ?? null),
    attemptLogins: counters.logins,
    attemptSubjects: counters.attempts.map((one) => one.subject),
    attemptLimits: counters.attempts.map((one) => one.limit),
    attemptWindows: counters.attempts.map((one) => one.windowSeconds),
    attemptReserves: counters.attempts.map(({ reserve = 0 }) => reserve),
    attemptOfDevice: counters.attempts.map((one) => one.kind === 'device'),
  });
}

/** Finds the user of an attempt that was already counted. */
export function findLogin(data: TenantData, identifier: string): Promise<LoginRow | undefined> {
  return data.transaction((tx) =>
    from(tx, 'user_identifiers as i')
      .innerJoin('users as u', (join) =>
        join.onRef('u.tenant_id', '=', 'i.tenant_id').onRef('u.id', '=', 'i.user_id'),
      )
      .leftJoin('user_credentials as c', (join) =>
        join
          .onRef('c.tenant_id', '=', 'i.tenant_id')
          .onRef('c.user_id', '=', 'i.user_id')
          .on('c.type', '=', 'password'),
      )
      .select([
        'i.user_id',
        'u.is_active',
        'u.auth_version',
        'u.has_second_factor',
        'c.secret_hash',
      ])
      .where('i.identifier', '=', identifier)
      .$narrowType<{ user_id: UserId }>()
      .executeTakeFirst(),
  );
}
