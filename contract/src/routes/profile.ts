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
  summary: 'Get the caller’s profile',
  description:
    'Returns the user’s name and picture, and the member `locale` of `user_metadata` if it is valid.',
  ok: { status: 200, body: ProfileRecord },
  errors: ['TOKEN_INVALID'],
});

export const updateProfile = route({
  id: 'me.update_profile',
  method: 'PATCH',
  path: PATH,
  access: 'user',
  summary: 'Update the caller’s profile',
  description:
    'Only the fields that you send are changed; other members of `user_metadata` are not affected. `null` removes a value.',
  body: closed(
    {
      name: Type.Optional(PROFILE.name),
      picture: Type.Optional(PROFILE.picture),
      locale: Type.Optional(PROFILE.locale),
    },
    { minProperties: 1, examples: [{ name: 'Ada Lovelace', locale: 'de' }] },
  ),
  ok: { status: 200, body: ProfileRecord },
  errors: ['VALIDATION_FAILED', 'TOKEN_INVALID'],
});

export const PROFILE_ROUTES = [getProfile, updateProfile] as const;
