import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { newUserId } from '../../../platform/crypto/ids.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { DeviceTokens } from './known-devices.ts';

const TENANT = 'org_one' as TenantId;
const NOW = new Date('2026-01-15T00:00:00Z');
const ANA = { userId: newUserId(NOW), authVersion: 3 };

test('A device token can be opened only in its tenant, under an available master key', () => {
  const [newer, older] = [randomBytes(32), randomBytes(32)];
  const token = new DeviceTokens(new MasterKeys([older])).issue(TENANT, ANA, undefined, NOW);
  const rotated = new DeviceTokens(new MasterKeys([newer, older]));
  const { userId, authVersion } = rotated.read(TENANT, token, NOW) ?? {};
  assert.deepEqual({ userId, authVersion }, ANA);
  assert.equal(rotated.read('org_two' as TenantId, token, NOW), undefined);
  const replaced = new DeviceTokens(new MasterKeys([newer]));
  assert.equal(replaced.read(TENANT, token, NOW), undefined);
});

test('The device in the token of a flow can be opened only in its tenant, and is not a device token', () => {
  const tokens = new DeviceTokens(new MasterKeys([randomBytes(32)]));
  const device = { id: randomBytes(16), ...ANA };
  const sealed = tokens.sealForFlow(TENANT, device);
  assert.deepEqual(tokens.readOfFlow(TENANT, sealed), device);
  assert.equal(tokens.readOfFlow('org_two' as TenantId, sealed), undefined);
  assert.equal(tokens.read(TENANT, sealed, NOW), undefined);
  const none = tokens.sealForFlow(TENANT, undefined);
  assert.equal(none.length, sealed.length);
  assert.equal(tokens.readOfFlow(TENANT, none), undefined);
  const token = tokens.issue(TENANT, ANA, device, NOW);
  assert.equal(tokens.readOfFlow(TENANT, token), undefined);
});

test('A device keeps its ID for the same user, and gets another one for another user', () => {
  const tokens = new DeviceTokens(new MasterKeys([randomBytes(32)]));
  const device = { id: randomBytes(16), ...ANA };
  const idFor = (user: typeof ANA) =>
    tokens.read(TENANT, tokens.issue(TENANT, user, device, NOW), NOW)?.id;
  assert.deepEqual(idFor({ ...ANA, authVersion: 4 }), device.id);
  assert.notDeepEqual(idFor({ ...ANA, userId: newUserId(NOW) }), device.id);
});
