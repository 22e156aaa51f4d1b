import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientCreate, tenantConfig } from '../../generated/facts.ts';
import { DOCUMENT_SETTINGS, factsOfApp, REGISTRATIONS, type RegisteredKind } from './kinds.ts';

const KINDS = Object.keys(REGISTRATIONS) as RegisteredKind[];
const namesOf = (kind: RegisteredKind) => factsOfApp(clientCreate, kind).map(({ name }) => name);

describe('the kinds of applications', () => {
  it('Every kind of application shows fields that the contract has, and none that follows from the kind', () => {
    for (const kind of KINDS) {
      const { fields, fixed } = REGISTRATIONS[kind];
      assert.deepEqual(namesOf(kind), fields);
      assert.deepEqual(
        fields.filter((name) => name in fixed),
        [],
      );
    }
    const settings = tenantConfig.map(({ name }) => name);
    assert.deepEqual(
      DOCUMENT_SETTINGS.filter((name) => !settings.includes(name)),
      [],
    );
  });

  it('Every kind of application gives all that a registration needs', () => {
    const needed = clientCreate.flatMap(({ name, required }) => (required ? [name] : []));
    for (const kind of KINDS) {
      const provided = [...namesOf(kind), ...Object.keys(REGISTRATIONS[kind].fixed)];
      assert.deepEqual(
        needed.filter((name) => !provided.includes(name)),
        [],
        kind,
      );
    }
  });

  it('The form of an application without a secret asks for none, and that of one without a browser for no address', () => {
    assert.ok(namesOf('web').includes('token_endpoint_auth_method'));
    for (const kind of ['spa', 'native', 'device'] as const) {
      assert.ok(!namesOf(kind).includes('token_endpoint_auth_method'), kind);
    }
    assert.ok(!namesOf('device').some((name) => name.includes('uri')));
  });
});
