// Every text that a tenant, a user or a client can write is a payload in the world that the console tests use.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ROUTES } from '@keywright/contract/routes';
import { API_BASE } from '@keywright/contract/route';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { furnishTenants } from './furniture/tenants.ts';
import { furnish } from './world.ts';

const MARKUP = `"'><img src=x onerror=alert(1)>`;

/** Fields that are not stored, or stored as a hash: no screen can show them. */
const NOT_STORED =
  /(?:secret|password|token|code|credential.*|handoff|provider|return_url|continue|key|current|identifier|transports\[\]|auth_session)$/;
/** Routes that keep no text of their request. */
const KEEP_NOTHING =
  /^(?:access\.|branding\.preview|messaging\.preview|messaging\.feedback|messaging\.test|auth\.token|auth\.verify|tokens\.preview)/;
/** Fields whose text is refused by a rule that their schema does not state. */
const REFUSED: Readonly<Record<string, string>> = {
  'apikeys.create.allowed_ips[]': 'addresses',
  'providers.*.issuer': 'an address',
  'providers.*.authorization_endpoint': 'an address',
  'providers.*.token_endpoint': 'an address',
  'providers.*.userinfo_endpoint': 'an address',
  'webhooks.*.url': 'an address',
  'tenants.*.domains[]': 'host names',
  'clients.*.identity_assertions.audiences[].resources[]': 'addresses',
};
/** Payloads that are written in another way than by this route. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'auth.login.name': 'as users.create.name',
  'flows.begin.name': 'as users.create.name',
  'invitations.*.name': 'written into the database, furniture/people.ts',
  'flows.confirm_totp.name': 'as factors.add_totp.name',
  'flows.enroll_passkey.name': 'as factors.add_totp.name',
  'clients.update_stream.reason': 'written into the database, furniture/connections.ts',
  'tenants.*.config.audience': 'its own tokens would be for another service',
  'tenants.*.name': 'the tenants are created with it',
  'auth.impersonate.reason': 'as impersonations.begin.reason',
  'impersonations.begin.reason': 'inside.test.ts',
};

/** Paths of the strings of a body that take markup. */
function openFields(schema: TSchema, at = ''): string[] {
  const { anyOf, properties, items, patternProperties, type, additionalProperties } = Object(
    schema,
  ) as {
    readonly anyOf?: TSchema[];
    readonly properties?: Record<string, TSchema>;
    readonly items?: TSchema;
    readonly patternProperties?: Record<string, TSchema>;
    readonly additionalProperties?: TSchema | boolean;
    readonly type?: string;
  };
  if (type === 'string') return Compile(schema).Check(MARKUP) ? [at] : [];
  return [
    ...(anyOf ?? []).flatMap((child) => openFields(child, at)),
    ...Object.entries(properties ?? {}).flatMap(([name, child]) =>
      openFields(child, `${at}.${name}`),
    ),
    ...Object.values(patternProperties ?? {}).flatMap((child) => openFields(child, `${at}.*`)),
    ...(typeof additionalProperties === 'object'
      ? openFields(additionalProperties, `${at}.*`)
      : []),
    ...(items ? openFields(items, `${at}[]`) : []),
  ];
}

/** Paths of the strings in a request body that are payloads. */
function payloadsIn(value: unknown, at = ''): string[] {
  if (typeof value === 'string') return /<img|onfocus=/.test(value) ? [at] : [];
  if (Array.isArray(value)) return value.flatMap((child) => payloadsIn(child, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => payloadsIn(child, `${at}.${name}`));
}

/** `users.create.x` and `users.update.x` are one text. */
const textOf = (field: string) => field.replace(/\.(?:create|update|add\w*)(?=\.)/, '.*');
/** A star stands for a name that the author of the value chooses. */
const patternOf = (field: string) =>
  new RegExp(
    `^${textOf(field)
      .replaceAll(/[.[\]]/g, String.raw`\$&`)
      .replaceAll('*', '[^.[]+')}$`,
  );
const isListed = (list: Readonly<Record<string, string>>, field: string) =>
  field in list || textOf(field) in list;

describe('the world of the console', () => {
  const written = new Set<string>();
  let keywright: Keywright;

  before(async () => {
    keywright = await startKeywright();
    const request = keywright.request.bind(keywright);
    const routes = ROUTES.map(({ id, method, path }) => {
      const pattern = path.slice(API_BASE.length).replaceAll(/:\w+/g, '[^/]+');
      return { id, method, pattern: new RegExp(`^${pattern}$`) };
    });
    keywright.request = (method, path, options) => {
      const route = routes.find(
        (candidate) => candidate.method === method && candidate.pattern.test(path),
      );
      const { body } = options ?? {};
      for (const field of payloadsIn(body)) written.add(textOf(`${route?.id}${field}`));
      return request(method, path, options) as never;
    };
    await furnish(keywright, 'hostile');
    await furnishTenants(keywright);
  });
  after(() => keywright.close());

  const fields = ROUTES.filter(({ path }) => path.startsWith(`${API_BASE}/`)).flatMap((route) =>
    route.body ? [...new Set(openFields(route.body))].map((at) => `${route.id}${at}`) : [],
  );
  const storedFields = fields.filter(
    (field) => !NOT_STORED.test(field) && !KEEP_NOTHING.test(field),
  );

  test('The test data of the console has a payload in each text that a caller can write', () => {
    const missing = storedFields.filter(
      (field) =>
        ![...written].some((writtenField) => patternOf(field).test(writtenField)) &&
        !isListed(REFUSED, field) &&
        !isListed(ELSEWHERE, field),
    );
    assert.deepEqual(missing, [], 'furnish them in tests/console/furniture/');
  });

  test('The exceptions of the test data name no text that no one can write, or that the test data already contains', () => {
    const named = [...Object.keys(REFUSED), ...Object.keys(ELSEWHERE)];
    const all = new Set(storedFields.flatMap((field) => [field, textOf(field)]));
    assert.deepEqual(
      named.filter((field) => !all.has(field) || written.has(textOf(field))),
      [],
    );
  });
});
