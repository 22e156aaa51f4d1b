import Type from 'typebox';
import { FactorIdSchema, pathId, UserIdSchema } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { CreatedTotp, FactorRecord, RecoveryCodes, TotpCode } from '../records/factor.ts';
import { AcceptedPasskeys } from '../records/passkey.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, displayName } from './fields.ts';

const ME_BASE = `${API_BASE}/me/factors` as const;
const OF_USER = `${API_BASE}/users/:user_id/factors` as const;
const factorPath = Type.Object({ factor_id: pathId(FactorIdSchema) });

export const listFactors = route({
  id: 'factors.list',
  method: 'GET',
  path: ME_BASE,
  access: 'user',
  summary: 'List the caller’s second factors',
  description: 'Oldest first. Includes factors that are not confirmed yet.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(FactorRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const addTotp = route({
  id: 'factors.add_totp',
  method: 'POST',
  path: `${ME_BASE}/totp`,
  access: 'user',
  fresh: {},
  summary: 'Add an authenticator app',
  description:
    'Returns the key for the app. The key is not shown again. The factor has no effect until you confirm it with a code from the app; if you do not, it is deleted after an hour.',
  body: closed({ name: Type.Optional(displayName('Phone')) }),
  ok: { status: 201, body: CreatedTotp },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'TOO_MANY_FACTORS'],
});

export const confirmTotp = route({
  id: 'factors.confirm_totp',
  method: 'POST',
  path: `${ME_BASE}/totp/:factor_id/confirm`,
  access: 'user',
  fresh: {},
  summary: 'Confirm an authenticator app',
  description:
    'Confirms the factor. Every later login of the user requires a second factor. If this is the user’s first factor, the response also contains recovery codes.',
  params: factorPath,
  body: closed({ code: TotpCode }),
  ok: {
    status: 200,
    body: Type.Object({
      factor: FactorRecord,
      recovery_codes: Type.Union([RecoveryCodes, Type.Null()], {
        description: 'Recovery codes; `null` if the user already has some.',
      }),
    }),
  },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'NOT_FOUND', 'CODE_WRONG', 'TOO_MANY_ATTEMPTS'],
});

export const getFactor = route({
  id: 'factors.get',
  method: 'GET',
  path: `${ME_BASE}/:factor_id`,
  access: 'user',
  summary: 'Get a second factor',
  description: 'Returns one of the caller’s factors. Its secrets are never shown.',
  params: factorPath,
  ok: { status: 200, body: FactorRecord },
  errors: ['NOT_FOUND'],
});

export const updateFactor = route({
  id: 'factors.update',
  method: 'PATCH',
  path: `${ME_BASE}/:factor_id`,
  access: 'user',
  summary: 'Rename a second factor',
  description: 'Changes only the display name.',
  params: factorPath,
  body: closed({ name: displayName('Old phone') }),
  ok: { status: 200, body: FactorRecord },
  errors: ['TOKEN_INVALID', 'NOT_FOUND'],
});

export const deleteFactor = route({
  id: 'factors.delete',
  method: 'DELETE',
  path: `${ME_BASE}/:factor_id`,
  access: 'user',
  fresh: {},
  summary: 'Remove a second factor',
  description:
    'Removing the last authenticator also removes the recovery codes. You cannot remove the last factor while the tenant requires one, or a passkey that is the user’s only way to sign in.',
  params: factorPath,
  ok: {
    status: 200,
    body: Type.Object(
      {
        ...deleted(FactorIdSchema).properties,
        accepted_passkeys: Type.Union([AcceptedPasskeys, Type.Null()], {
          description: 'The remaining passkeys; `null` if the removed factor was not a passkey.',
        }),
      },
      { $id: 'DeletedFactor', description: 'A removed second factor.' },
    ),
  },
  errors: [
    'TOKEN_INVALID',
    'STEP_UP_REQUIRED',
    'NOT_FOUND',
    'FACTOR_REQUIRED',
    'LAST_LOGIN_METHOD',
  ],
});

export const createRecoveryCodes = route({
  id: 'factors.create_recovery_codes',
  method: 'POST',
  path: `${ME_BASE}/recovery-codes`,
  access: 'user',
  fresh: {},
  summary: 'Replace the recovery codes',
  description: 'Returns new recovery codes. The previous ones no longer work.',
  ok: {
    status: 201,
    body: Type.Object({ factor: FactorRecord, recovery_codes: RecoveryCodes }),
  },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'FACTOR_MISSING'],
});

export const listUserFactors = route({
  id: 'users.list_factors',
  method: 'GET',
  path: OF_USER,
  access: { scope: 'read:users' },
  summary: 'List the second factors of a user',
  description: 'Oldest first. Secrets are never shown.',
  params: Type.Object({ user_id: pathId(UserIdSchema) }),
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(FactorRecord) },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'PRINCIPAL_PROTECTED'],
});

export const deleteUserFactor = route({
  id: 'users.delete_factor',
  method: 'DELETE',
  path: `${OF_USER}/:factor_id`,
  access: { scope: 'write:users' },
  fresh: {},
  summary: 'Remove a second factor of a user',
  description:
    'Removes a factor that the user has lost. You cannot act on users who hold permissions that you do not hold. To remove your own factor, use DELETE /me/factors/:factor_id.',
  params: Type.Object({ user_id: pathId(UserIdSchema), factor_id: pathId(FactorIdSchema) }),
  ok: { status: 200, body: deleted(FactorIdSchema) },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED'],
});
