import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';

/** Returns the schema of a value that a browser returns in base64url (WebAuthn Level 3 §5.1). */
function encoded(maxLength: number, description: string, example: string) {
  return Type.String({
    pattern: '^[A-Za-z0-9_-]*$',
    [EXPECTS]: 'base64url without padding',
    maxLength,
    description,
    examples: [example],
  });
}

const EXAMPLE_ID = 'Xk1p9Qw3TzWv7bC2rY5mNg';
const EXAMPLE_CHALLENGE = 'b2x5bXBpYSBvcHVzIGV0IGV4ZW1wbGEgdHJhaHVudA';
const EXAMPLE_HANDLE = 'q3Jv0m7Yw1pT9cK2xR5bN8dF4hL6sZ0aV3uE7gI1oQw';

/** The maximum is 1023 bytes (WebAuthn Level 3 §4). */
const CredentialId = encoded(1364, 'ID of the credential.', EXAMPLE_ID);
const ClientData = encoded(
  4096,
  'Data that the browser signed: type, challenge and origin.',
  'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
);
const PublicKeyType = Type.Literal('public-key', { description: 'Always `public-key`.' });

/** Additional members from browsers are ignored. */
const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: PublicKeyType,
};

export const PasskeyAssertion = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        authenticatorData: encoded(
          2048,
          'Authenticator data.',
          'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAQ',
        ),
        signature: encoded(
          1024,
          'Signature over the authenticator data and the client data.',
          'MEUCIQDx',
        ),
        userHandle: Type.Optional(
          Type.Union([encoded(88, 'The user handle.', EXAMPLE_HANDLE), Type.Null()]),
        ),
      },
      { description: 'The authenticator’s signature and the data that it covers.' },
    ),
  },
  {
    $id: 'PasskeyAssertion',
    description: 'The result of `navigator.credentials.get()`, converted with `toJSON()`.',
  },
);
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

export const PasskeyRegistration = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        attestationObject: encoded(
          12_288,
          'The new credential.',
          'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
        ),
        transports: Type.Optional(
          Type.Array(Type.String({ maxLength: 32 }), {
            maxItems: 16,
            description: 'How browsers reach the authenticator.',
            examples: [['internal', 'hybrid']],
          }),
        ),
      },
      { description: 'The data that the authenticator created.' },
    ),
  },
  {
    $id: 'PasskeyRegistration',
    description: 'The result of `navigator.credentials.create()`, converted with `toJSON()`.',
  },
);
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

const RpId = Type.String({
  description: 'The domain that the tenant’s passkeys are bound to.',
  examples: ['id.example.com'],
});
const UserHandle = Type.String({
  description: 'User handle for authenticators: 32 bytes that are not the user’s ID.',
  examples: [EXAMPLE_HANDLE],
});
const Challenge = Type.String({
  description: 'Challenge that the authenticator signs. Can be used once.',
  examples: [EXAMPLE_CHALLENGE],
});
const Timeout = Type.Integer({ description: 'Timeout in milliseconds.', examples: [300_000] });

const Descriptor = Type.Object({
  id: Type.String({ description: 'ID of the credential.', examples: [EXAMPLE_ID] }),
  type: PublicKeyType,
  transports: Type.Array(Type.String(), {
    description: 'How browsers reach the authenticator.',
    examples: [['internal']],
  }),
});

export const PasskeyRequestOptions = Type.Object(
  {
    challenge: Challenge,
    rpId: RpId,
    timeout: Timeout,
    userVerification: Type.Literal('required', { description: 'Always `required`.' }),
    allowCredentials: Type.Array(Descriptor, {
      description:
        'Empty before the first proof, for every identifier. After it, the user’s passkeys.',
    }),
  },
  {
    $id: 'PasskeyRequestOptions',
    description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON()`.',
  },
);
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>;

export const PasskeyCreationOptions = Type.Object(
  {
    challenge: Challenge,
    rp: Type.Object(
      {
        id: RpId,
        name: Type.String({ description: 'Name of the tenant.', examples: ['Acme'] }),
      },
      { description: 'The tenant.' },
    ),
    user: Type.Object(
      {
        id: UserHandle,
        name: Type.String({
          description: 'Shown by authenticators.',
          examples: ['ada@example.com'],
        }),
        displayName: Type.String({ description: 'Same as `name`.', examples: ['ada@example.com'] }),
      },
      { description: 'The user that the passkey is for.' },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object({
        type: PublicKeyType,
        alg: Type.Integer({
          description: 'COSE algorithm: -8 EdDSA, -7 ES256, -257 RS256.',
          examples: [-7],
        }),
      }),
      { description: 'Accepted algorithms, in order of preference.' },
    ),
    timeout: Timeout,
    excludeCredentials: Type.Array(Descriptor, { description: 'The user’s existing passkeys.' }),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal('required', { description: 'Always `required`.' }),
        requireResidentKey: Type.Literal(true, {
          description: 'The same requirement, for older browsers.',
        }),
        userVerification: Type.Literal('required', { description: 'Always `required`.' }),
      },
      { description: 'Requirements for authenticators.' },
    ),
    attestation: Type.Enum(['none', 'direct'], {
      description: 'The tenant’s `passkey_attestation` setting.',
      examples: ['none'],
    }),
  },
  {
    $id: 'PasskeyCreationOptions',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON()`.',
  },
);
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>;

/** WebAuthn Level 3 §5.1.10.3. */
export const AcceptedPasskeys = Type.Object(
  {
    rpId: RpId,
    userId: UserHandle,
    allAcceptedCredentialIds: Type.Array(Type.String(), {
      description: 'IDs of all passkeys of the user. Authenticators hide all others.',
      examples: [[EXAMPLE_ID]],
    }),
  },
  {
    $id: 'AcceptedPasskeys',
    description: 'For `PublicKeyCredential.signalAllAcceptedCredentials()`.',
  },
);
export type AcceptedPasskeys = Static<typeof AcceptedPasskeys>;

/** WebAuthn Level 3 §5.1.10.2. */
export const UnknownPasskey = Type.Object(
  {
    rpId: RpId,
    credentialId: Type.String({ description: 'ID of the credential.', examples: [EXAMPLE_ID] }),
  },
  {
    $id: 'UnknownPasskey',
    description:
      'With `PASSKEY_REFUSED`, if the tenant does not have the passkey: data for `PublicKeyCredential.signalUnknownCredential()`.',
  },
);
export type UnknownPasskey = Static<typeof UnknownPasskey>;

/** The fields that a passkey has in addition to the fields of every factor. */
export const PasskeyDetails = Type.Object(
  {
    rp_id: RpId,
    aaguid: Type.String({
      description: 'Model of the authenticator, as the authenticator reports it.',
      examples: ['08987058-cadc-4b81-b6e1-30de50dcbe96'],
    }),
    is_synced: Type.Boolean({
      description:
        'Whether the passkey is backed up and therefore available on the user’s other devices.',
    }),
    is_device_bound: Type.Boolean({
      description: 'Whether the passkey can never leave its device.',
    }),
    transports: Type.Array(Type.String(), {
      description: 'How browsers reach the authenticator.',
      examples: [['internal']],
    }),
  },
  { description: 'Details of a passkey.' },
);
