import Type from 'typebox';
import { PROFILE, ProfileRecord } from '../records/profile.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

const PATH = `${API_BASE}/me/profile` as const;

export const getProfile = route({
  id: 'me.get_profile',
  method: 'GET',
  path: PATH,
  access: 'user',
  summary: 'Read the caller’s profile',
  description: 'The members `name` and `locale` of `user_metadata`, if they are valid.',
  ok: { status: 200, body: ProfileRecord },
  errors: ['TOKEN_INVALID'],
});

export const updateProfile = route({
  id: 'me.update_profile',
  method: 'PATCH',
  path: PATH,
  access: 'user',
  summary: 'Change the caller’s profile',
  description:
    'Fields that are not named are not changed, nor are the other members of `user_metadata`. Null removes a value. Claims about the user are not changed: they are from `metadata`.',
  body: closed(
    { name: Type.Optional(PROFILE.name), locale: Type.Optional(PROFILE.locale) },
    { minProperties: 1, examples: [{ name: 'Ada Lovelace', locale: 'de' }] },
  ),
  ok: { status: 200, body: ProfileRecord },
  errors: ['VALIDATION_FAILED', 'TOKEN_INVALID'],
});

export const PROFILE_ROUTES = [getProfile, updateProfile] as const;
