import Type from 'typebox';
import { TotpCode } from '../records/factor.ts';
import { MessageCode } from '../records/login-flow.ts';
import { PasskeyAssertion, PasskeyRequestOptions } from '../records/passkey.ts';
import { IdentifierRecord } from '../records/user.ts';
import { API_BASE, route } from '../route.ts';
import { secret } from '../records/tokens.ts';
import { closed } from '../shape.ts';
import { IdentifierText, SecretText } from './fields.ts';

const ME_BASE = `${API_BASE}/me/identifiers` as const;

const Identifiers = Type.Object({
  identifiers: Type.Array(IdentifierRecord, {
    description: 'Identifiers that the user can sign in with, in the order of the user record.',
  }),
});

export const listIdentifiers = route({
  id: 'identifiers.list',
  method: 'GET',
  path: ME_BASE,
  access: 'user',
  summary: 'List the caller’s identifiers',
  description:
    'Returns the caller’s email addresses and phone numbers, and whether each is verified.',
  ok: { status: 200, body: Identifiers },
  errors: ['TOKEN_INVALID'],
});

export const sendVerification = route({
  id: 'identifiers.send',
  method: 'POST',
  path: ME_BASE,
  access: 'user',
  fresh: {},
  summary: 'Send a code to an email address or a phone number',
  description:
    'Adds the identifier, or verifies an existing one. Nothing changes until you confirm the code. The response does not depend on whether another user has the identifier.',
  body: closed({ identifier: IdentifierText }),
  ok: {
    status: 200,
    body: Type.Object({
      sent_to: Type.String({
        description: 'The recipient’s email address or phone number, masked.',
        examples: ['j…@e….org'],
      }),
      resend_after: Type.Integer({
        description: 'Seconds until another message can be sent.',
        examples: [30],
      }),
    }),
  },
  errors: [
    'VALIDATION_FAILED',
    'TOKEN_INVALID',
    'STEP_UP_REQUIRED',
    'METHOD_NOT_READY',
    'DESTINATION_REFUSED',
    'TOO_MANY_MESSAGES',
  ],
});

export const verifyIdentifier = route({
  id: 'identifiers.verify',
  method: 'POST',
  path: `${ME_BASE}/verification`,
  access: 'user',
  fresh: {},
  summary: 'Confirm the code for an email address or a phone number',
  description:
    'If the identifier is new, the identifiers that were already verified are notified. A message becomes invalid after five wrong codes, and 20 codes per hour can be tried for one identifier.',
  body: closed({ identifier: IdentifierText, code: MessageCode }),
  ok: { status: 200, body: Identifiers },
  errors: [
    'VALIDATION_FAILED',
    'TOKEN_INVALID',
    'STEP_UP_REQUIRED',
    'CODE_WRONG',
    'IDENTIFIER_TAKEN',
    'TOO_MANY_ATTEMPTS',
  ],
});

const IdentifierParams = Type.Object({
  identifier: Type.String({
    description: 'An identifier of the caller.',
    examples: ['ada@example.com'],
  }),
});

export const makePrimary = route({
  id: 'identifiers.make_primary',
  method: 'PUT',
  path: `${ME_BASE}/:identifier/primary`,
  access: 'user',
  fresh: {},
  summary: 'Make an identifier the primary one',
  description:
    'Moves a verified identifier to the first position in the user record. Applications get the first identifier of each type. The verified identifiers are notified.',
  params: IdentifierParams,
  ok: { status: 200, body: Identifiers },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'NOT_FOUND', 'IDENTIFIER_UNVERIFIED'],
});

export const deleteIdentifier = route({
  id: 'identifiers.delete',
  method: 'DELETE',
  path: `${ME_BASE}/:identifier`,
  access: 'user',
  fresh: {},
  summary: 'Remove an identifier',
  description:
    'The verified identifiers are notified, including the removed one. You cannot remove the last identifier or the last verified identifier.',
  params: IdentifierParams,
  ok: { status: 200, body: Identifiers },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'NOT_FOUND', 'LAST_IDENTIFIER'],
});

export const UndoToken = secret({
  minLength: 1,
  maxLength: 256,
  description: 'The token from a message about a change of identifiers.',
  examples: ['und_01jdq3xbt7q2v9k4m8p6r1w5yz.Zm9yIGV4YW1wbGUsIG5vdCBhIHRva2VuIG9mIGFueWJvZHk'],
});

const UNDO = `${API_BASE}/auth/identifiers/undo` as const;

export const undoIdentifiers = route({
  id: 'identifiers.undo',
  method: 'POST',
  path: UNDO,
  access: 'tenant',
  summary: 'Undo changes of a user’s identifiers',
  description:
    'Requires the token of a message to an identifier that was verified before the change. The identifiers are restored to their state prior to the first change that this identifier was notified of within 7 days, except those that belong to another user now. If the account had a password or a factor before, you must prove one of them: `password`, `code` of an authenticator app, or `credential` of a passkey, even if the tenant does not allow logins with it. A change cannot be undone after the user has signed in, following the removal of the identifier, with something that the account had before, or in any way if it had nothing. All sessions of the user end, and all other tokens of such messages become invalid. Passwords, factors and roles do not change, and no session is opened.',
  body: closed({
    undo_token: UndoToken,
    password: Type.Optional(SecretText),
    code: Type.Optional(TotpCode),
    credential: Type.Optional(PasskeyAssertion),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      restored: Type.Literal(true, { description: 'The identifiers are restored.' }),
    }),
  },
  errors: ['FLOW_ENDED', 'PROOF_REQUIRED', 'TOO_MANY_ATTEMPTS', 'TOO_BUSY'],
});

export const offerUndoPasskey = route({
  id: 'identifiers.undo_passkey_options',
  method: 'POST',
  path: `${UNDO}/passkey`,
  access: 'tenant',
  summary: 'Get passkey options for undoing changes',
  description:
    'For `navigator.credentials.get()`, valid for ten minutes. The options do not list passkeys. Fails with `STEP_NOT_NEEDED` if no passkey that predates the change is left.',
  body: closed({ undo_token: UndoToken }),
  ok: {
    status: 200,
    body: Type.Object(
      { options: PasskeyRequestOptions },
      { $id: 'UndoPasskeyRequest', description: 'Passkey options for an undo.' },
    ),
  },
  errors: ['FLOW_ENDED', 'STEP_NOT_NEEDED', 'TOO_MANY_ATTEMPTS'],
});

export const IDENTIFIER_ROUTES = [
  listIdentifiers,
  sendVerification,
  verifyIdentifier,
  makePrimary,
  deleteIdentifier,
  undoIdentifiers,
  offerUndoPasskey,
] as const;
