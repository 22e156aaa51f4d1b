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
    description: 'What the user can log in with, in the order of the user record.',
  }),
});

export const listIdentifiers = route({
  id: 'identifiers.list',
  method: 'GET',
  path: ME_BASE,
  access: 'user',
  summary: 'List the caller’s identifiers',
  description: 'Email addresses and phone numbers, each with whether it is verified.',
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
    'Adds the identifier, or verifies one that the user already has. Nothing changes until the code is confirmed. The response does not depend on whether another user has it.',
  body: closed({ identifier: IdentifierText }),
  ok: {
    status: 200,
    body: Type.Object({
      sent_to: Type.String({
        description: 'The address or the phone number, masked.',
        examples: ['j…@e….org'],
      }),
      resend_after: Type.Integer({
        description: 'Seconds before another message can be sent.',
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
  summary: 'Add or verify an email address or a phone number by its code',
  description:
    'The previously verified addresses are notified of a new one. Five wrong codes use up a message, and 20 codes an hour can be tried for one address.',
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
    'Makes a verified identifier the first of the user record; applications get the first of each type. The verified addresses are notified.',
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
    'The verified addresses are notified, and so is a removed one. Neither the last identifier nor the last verified one can be removed.',
  params: IdentifierParams,
  ok: { status: 200, body: Identifiers },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'NOT_FOUND', 'LAST_IDENTIFIER'],
});

export const UndoToken = secret({
  minLength: 1,
  maxLength: 256,
  description: 'The token of a message about a change of identifiers.',
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
    'With the token of a message to an address that was verified before: the identifiers become those from before the first change of which this address was notified within 7 days, except those that belong to another user now. An account that had a password or a factor before requires one of them: `password`, `code` of an authenticator app, or `credential` of a passkey, whether or not a login can start with one. Nothing can be undone once the user has logged in after the address was removed, with something that the account had before; if it had nothing, in any way. All sessions of the user end, and so does every other token of such a message. Password, factors and roles are not changed, and no session is opened.',
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
  summary: 'Get the options for a passkey that undoes changes',
  description:
    'For `navigator.credentials.get()`, for ten minutes. They contain no passkeys. `STEP_NOT_NEEDED`: no passkey from before the change is left.',
  body: closed({ undo_token: UndoToken }),
  ok: {
    status: 200,
    body: Type.Object(
      { options: PasskeyRequestOptions },
      { $id: 'UndoPasskeyRequest', description: 'The options for a passkey of an undo.' },
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
