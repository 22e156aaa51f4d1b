import {
  appearanceOf,
  encoded,
  identifiersOf,
  inactiveIf,
  object,
  origin,
  RecordProblem,
  type Source,
  type SourceRecord,
  text,
  truth,
  withPassword,
} from './source.ts';

/** Reads the password hash export from Auth0's support, and the format of Auth0's bulk import. */
export const auth0: Source = {
  form: 'any',
  convert: (record) => {
    const listed = listedIn(record);
    return {
      identifiers: identifiersOf([
        {
          identifier: text(record, 'email') ?? listed.get('email')?.value,
          verified: truth(record, 'email_verified') || listed.get('email')?.verified === true,
        },
        {
          identifier: text(record, 'phone_number') ?? listed.get('phone')?.value,
          verified: truth(record, 'phone_verified') || listed.get('phone')?.verified === true,
        },
      ]),
      ...appearanceOf(namesOf(record), text(record, 'picture')),
      ...withPassword(passwordOf(record)),
      ...inactiveIf(truth(record, 'blocked')),
      metadata: { ...object(record, 'app_metadata'), ...origin('auth0', idOf(record)) },
      user_metadata: object(record, 'user_metadata'),
    };
  },
};

/** Auth0 takes the email address as the name of a user without one. */
function namesOf(record: SourceRecord) {
  const name = text(record, 'name');
  const isAddress = name !== undefined && name === text(record, 'email');
  const parts = [text(record, 'given_name'), text(record, 'family_name')] as const;
  return [isAddress ? undefined : name, ...parts] as const;
}

interface Listed {
  readonly type: string;
  readonly value: string;
  readonly verified: boolean;
}

function listedIn({ identifiers }: SourceRecord): ReadonlyMap<string, Listed> {
  const list = Array.isArray(identifiers) ? (identifiers as Listed[]) : [];
  return new Map(list.map((identifier) => [identifier.type, identifier]));
}

/** Returns the user ID as in Auth0's tokens. */
function idOf(record: SourceRecord): string | undefined {
  const userId = text(record, 'user_id');
  if (userId !== undefined) return userId.includes('|') ? userId : `auth0|${userId}`;
  const id = text(record, 'alt_id') ?? text(object(record, '_id'), '$oid') ?? text(record, '_id');
  return id === undefined ? undefined : `auth0|${id}`;
}

function passwordOf(record: SourceRecord) {
  const hash = text(record, 'passwordHash', 'password_hash');
  if (hash !== undefined) return encoded(hash);
  const custom = object(record, 'custom_password_hash');
  const algorithm = text(custom, 'algorithm');
  if (algorithm === undefined) return undefined;
  const value = text(object(custom, 'hash'), 'value');
  if (value === undefined) throw new RecordProblem('has a custom_password_hash without a value');
  return encoded(value);
}
