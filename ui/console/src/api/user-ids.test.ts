import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ID_PREFIX, NamedIdsText, UserIdsText } from '@keywright/contract/ids';
import { MOST_IDS, namedIdsAmong, userIdsAmong } from './user-ids.ts';

const idOf = (n: number) => `user:${String(n).padStart(26, '0')}`;

it('The names of a list are requested of every record that has one, once each', () => {
  const rest = '0'.repeat(26);
  const { user, agent, apiKey, oauthClient, oauthResource, identityProvider, invitation, webhook } =
    ID_PREFIX;
  const named = [user, agent, apiKey, oauthClient, oauthResource, identityProvider, invitation];
  const ids = [...named, webhook].map((prefix) => `${prefix}${rest}`).concat('ws_lab');
  const { session, event } = ID_PREFIX;
  const found = namedIdsAmong([
    ...ids,
    null,
    `${session}${rest}`,
    `${event}${rest}`,
    'admin',
    ...ids,
  ]);
  assert.deepEqual(found, ids.toSorted());
  const { pattern = 'none' } = NamedIdsText as { readonly pattern?: string };
  assert.match(found.join(','), new RegExp(pattern));
});

describe('the users whose names are asked for', () => {
  it('The user ids found in a list are returned once each, and nothing else in the list is', () => {
    const others = [null, 'service:01m818y430f26s2vf3yj6pjnc7', 'user:unknown', `${idOf(3)},x`];
    assert.deepEqual(userIdsAmong([idOf(1), ...others, idOf(2), idOf(1)]), [idOf(1), idOf(2)]);
  });

  it('The user ids found in a list are no more than one request accepts', () => {
    const many = userIdsAmong(Array.from({ length: MOST_IDS + 1 }, (_, n) => idOf(n)));
    assert.equal(many.length, MOST_IDS);
    const { pattern = 'none' } = UserIdsText as { readonly pattern?: string };
    assert.match(many.join(','), new RegExp(pattern));
  });
});
