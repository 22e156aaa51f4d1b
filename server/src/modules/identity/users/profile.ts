import { TEXT_LOCALES } from '@keywright/contract/locale';
import { NAME_LENGTH, NAME_PATTERN, type ProfileRecord } from '@keywright/contract/records/profile';

type Profile = Pick<ProfileRecord, 'name' | 'locale'>;
type OwnMetadata = Readonly<Record<string, unknown>>;

const NAME = new RegExp(NAME_PATTERN, 'u');

/** What users may also write into `user_metadata` themselves, in any form: what is not valid is not set. */
export function profileIn({ name, locale }: OwnMetadata): Profile {
  const isName = typeof name === 'string' && name.length <= NAME_LENGTH && NAME.test(name);
  return {
    name: isName ? name : null,
    locale: TEXT_LOCALES.find((one) => one === locale) ?? null,
  };
}

/** @param change null removes a member */
export function withProfile(metadata: OwnMetadata, change: Partial<Profile>): OwnMetadata {
  const all = Object.entries({ ...metadata, ...change });
  return Object.fromEntries(
    all.filter(([key, value]) => !(Object.hasOwn(change, key) && value === null)),
  );
}
