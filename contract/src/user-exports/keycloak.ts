import {
  appearanceOf,
  emailIn,
  identifiersOf,
  inactiveIf,
  object,
  origin,
  type Password,
  RecordProblem,
  type Source,
  type SourceRecord,
  text,
  truth,
  withPassword,
} from './source.ts';

/** Reads a realm with its users, as `kc.sh export` writes it. */
export const keycloak: Source = {
  form: 'any',
  within: 'users',
  convert: (record) => {
    const email = text(record, 'email');
    return {
      identifiers: identifiersOf([
        {
          identifier: email ?? emailIn(text(record, 'username')),
          verified: email !== undefined && truth(record, 'emailVerified'),
        },
      ]),
      ...appearanceOf(
        [undefined, text(record, 'firstName'), text(record, 'lastName')],
        pictureOf(record),
      ),
      ...withPassword(passwordOf(record)),
      ...inactiveIf(record['enabled'] === false),
      metadata: { ...profileOf(record), ...origin('keycloak', text(record, 'id')) },
    };
  },
};

/** The attribute that Keycloak's default mappers use for the claim. Attributes are lists. */
function pictureOf(record: SourceRecord): string | undefined {
  const [first] = [object(record, 'attributes')['picture']].flat();
  return typeof first === 'string' ? first : undefined;
}

function profileOf(record: SourceRecord) {
  const fields = {
    username: text(record, 'username'),
    first_name: text(record, 'firstName'),
    last_name: text(record, 'lastName'),
    attributes: record['attributes'],
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function passwordOf({ credentials }: SourceRecord): Password | undefined {
  const list = Array.isArray(credentials) ? (credentials as SourceRecord[]) : [];
  const credential = list.find(({ type }) => type === 'password');
  if (!credential) return undefined;
  const data = object(credential, 'credentialData');
  const secret = object(credential, 'secretData');
  const [hash, salt] = [text(secret, 'value'), text(secret, 'salt')];
  const iterations = Number(data['hashIterations']);
  if (hash === undefined || salt === undefined) {
    throw new RecordProblem('has a password without a hash: export the realm with its users');
  }
  const algorithm = text(data, 'algorithm') ?? '';
  const parameters = object(data, 'additionalParameters');
  if (algorithm === 'argon2') return argon2Of({ hash, salt, passes: iterations }, parameters);
  const digest = DIGESTS[algorithm];
  if (digest === undefined) {
    throw new RecordProblem(`has a password hashed with ${algorithm}, which is not supported`);
  }
  return { scheme: 'pbkdf2', hash, salt, digest, iterations };
}

const DIGESTS: Readonly<Record<string, 'sha1' | 'sha256' | 'sha512'>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha1': 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
};

interface Argon2 {
  readonly hash: string;
  readonly salt: string;
  readonly passes: number;
}

/** Each parameter is a list with one string. */
function argon2Of({ hash, salt, passes }: Argon2, parameters: SourceRecord): Password {
  const parameter = (name: string) => {
    const [first] = [parameters[name]].flat();
    return typeof first === 'string' ? first : '';
  };
  const type = parameter('type');
  if (parameter('version') !== '1.3' || (type !== 'id' && type !== 'i')) {
    throw new RecordProblem('has a password hashed with an unsupported variant of Argon2');
  }
  const costs = `m=${parameter('memory')},t=${passes},p=${parameter('parallelism')}`;
  const parts = [`argon2${type}`, 'v=19', costs, unpadded(salt), unpadded(hash)];
  return { scheme: 'argon2', hash: `$${parts.join('$')}` };
}

function unpadded(base64: string): string {
  return base64.replace(/=+$/, '');
}
