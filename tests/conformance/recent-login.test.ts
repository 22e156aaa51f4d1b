import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { pathTo, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import type { Answer } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';

const NEEDS_RECENT_LOGIN: readonly Route[] = ROUTES.filter(({ fresh }: Route) => fresh);
const STEP_UP_SECONDS = 300;

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
});
after(() => keywright.close());

test('Routes that need a recent login reject an older one of an administrator, before anything else', async () => {
  const token = await keywright.adminToken();
  const requestRoute = (route: Route): Promise<Answer<ErrorBody>> => {
    const names = Object.keys(route.params?.properties ?? {});
    const path = pathTo(route, Object.fromEntries(names.map((name) => [name, 'unknown'])));
    return keywright.home.request(route.method, path.replace('/api/sso/v1', ''), {
      token,
      ...(route.body ? { body: {} } : {}),
    });
  };
  const codes = async () =>
    new Map(
      await Promise.all(
        NEEDS_RECENT_LOGIN.map(
          async (route) => [route.id, (await requestRoute(route)).body.code] as const,
        ),
      ),
    );
  keywright.clock.advance(STEP_UP_SECONDS - 1);
  assert.ok(![...(await codes()).values()].includes('STEP_UP_REQUIRED'));
  keywright.clock.advance(2);
  const rejected = NEEDS_RECENT_LOGIN.map(({ id }) => [id, 'STEP_UP_REQUIRED'] as const);
  assert.deepEqual(await codes(), new Map(rejected));
  assert.ok(rejected.some(([id]) => id === 'tenants.delete'));
});
