import {
  appearanceOf,
  identifiersOf,
  inactiveIf,
  object,
  origin,
  type Password,
  RecordProblem,
  type Source,
  type SourceRecord,
  type SourceSettings,
  text,
  truth,
  withPassword,
} from './source.ts';

/** `firebase auth:export users.json`, and the hash parameters of the project. */
export const firebase: Source = {
  form: 'any',
  within: 'users',
  convert: (record, settings) => ({
    identifiers: identifiersOf([
      { identifier: text(record, 'email'), verified: truth(record, 'emailVerified') },
      // Firebase stores a phone number only after verifying it.
      { identifier: text(record, 'phoneNumber'), verified: true },
    ]),
    ...appearanceOf([text(record, 'displayName')], text(record, 'photoUrl', 'photoURL')),
    ...withPassword(passwordOf(record, settings)),
    ...inactiveIf(truth(record, 'disabled')),
    metadata: {
      ...object(record, 'customAttributes'),
      ...origin('firebase', text(record, 'localId')),
    },
  }),
};

function passwordOf(record: SourceRecord, { hashConfig }: SourceSettings): Password | undefined {
  const [hash, salt] = [text(record, 'passwordHash'), text(record, 'salt')];
  if (hash === undefined) return undefined;
  if (!hashConfig) {
    throw new RecordProblem('has a password, which requires the hash parameters of the project');
  }
  const { base64_signer_key: signer_key, base64_salt_separator: salt_separator } = hashConfig;
  if (salt === undefined || signer_key === undefined) {
    throw new RecordProblem('has a password without a salt, or base64_signer_key is missing');
  }
  return {
    scheme: 'firebase_scrypt',
    hash,
    salt,
    signer_key,
    ...(salt_separator === undefined ? {} : { salt_separator }),
    rounds: Number(hashConfig['rounds']),
    mem_cost: Number(hashConfig['mem_cost']),
  };
}

/** Parses the parameters as the console displays them: `name: value,` on each line. */
export function readHashConfig(shown: string): Readonly<Record<string, string>> {
  const fields = shown.matchAll(/"?(\w+)"?\s*:\s*"?([^\s",}]+)"?/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}
