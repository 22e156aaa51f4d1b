import type { UserId } from '@keywright/contract/ids';
import { from, type TenantData } from '../../../tenancy/gate.ts';

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
