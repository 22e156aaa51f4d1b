// Counters of messages, and of codes in them.

import assert from 'node:assert/strict';
import type { ErrorBody } from '@keywright/contract/errors';
import type { OfferedFlow } from '@keywright/contract/records/login-flow';
import { expectStatus } from '../harness/http.ts';
import { mailedTo } from '../harness/mailed.ts';
import { newNumber, textedTo } from '../harness/sms-sink.ts';
import { ATTACKER, attackers, HOME, type Place, type Scenario, useUp } from './place.ts';

/** Messages to a member that one address requests, at this interval, until it is refused. */
function requested(limit: number, seconds: number): Scenario {
  return {
    async run(place) {
      const owner = await place.member();
      const count = await useUp(async (index) => {
        if (index > 0) place.keywright.clock.advance(seconds);
        return place.requestMessage(owner.identifier, ATTACKER);
      });
      assert.equal(count, limit);
      const earlier = await place.sent();
      expectStatus(200, await place.requestMessage(owner.identifier, HOME));
      assert.equal(await place.sent(), earlier + 1);
      const other = await place.member();
      expectStatus(200, await place.requestMessage(other.identifier, ATTACKER));
      assert.equal(await place.sent(), earlier + 2);
    },
  };
}

/** Messages to a member that many addresses of one network request, until they are withheld. */
function received(limit: number, seconds: number): Scenario {
  return {
    async run(place) {
      const owner = await place.member();
      for (let index = 0; index < limit + 3; index += 1) {
        place.keywright.clock.advance(seconds);
        expectStatus(200, await place.requestMessage(owner.identifier, attackers(index)));
      }
      assert.equal(await place.sent(), limit);
      expectStatus(200, await place.requestMessage(owner.identifier, HOME));
      assert.equal(await place.sent(), limit + 1, 'from a network that has not asked');
      const device = { device_token: owner.deviceToken };
      expectStatus(200, await place.requestMessage(owner.identifier, attackers(limit + 3), device));
      assert.equal(await place.sent(), limit + 2, 'on a known device');
      const other = await place.member();
      const foreign = { device_token: other.deviceToken };
      expectStatus(
        200,
        await place.requestMessage(owner.identifier, attackers(limit + 4), foreign),
      );
      assert.equal(await place.sent(), limit + 2, 'on the device of another user');
      expectStatus(200, await place.requestMessage(other.identifier, ATTACKER));
      assert.equal(await place.sent(), limit + 3, 'to another user');
    },
  };
}

/** One network cannot cause so many messages, so their count is written to the table directly. */
const TENANT_MAILS: Scenario = {
  async run(place) {
    const owner = await place.member();
    for (let index = 0; index < 4; index += 1) {
      expectStatus(
        200,
        await place.requestMessage((await place.member()).identifier, attackers(index)),
      );
    }
    assert.equal(await place.sent(), 4);
    await place.pour(750, 'emails of tenant', 'sent');
    expectStatus(200, await place.requestMessage((await place.member()).identifier, attackers(4)));
    assert.equal(await place.sent(), 4, 'withheld');
    const device = { device_token: owner.deviceToken };
    expectStatus(200, await place.requestMessage(owner.identifier, attackers(5), device));
    assert.equal(await place.sent(), 5, 'on a known device');
    place.keywright.clock.advance(31);
    expectStatus(200, await place.requestMessage(owner.identifier, HOME));
    assert.equal(await place.sent(), 6);
  },
};

function textsOf(
  setting: 'sms_hourly_limit' | 'sms_daily_limit' | 'sms_country_hourly_limit',
): Scenario {
  return {
    config: { [setting]: 8 },
    async run(place) {
      await place.withSms();
      const owner = await place.memberByPhone();
      const victim = await place.memberByPhone();
      // Messages to unknown numbers do not count against real ones.
      for (let decoy = 0; decoy < 10; decoy += 1) {
        expectStatus(200, await place.requestMessage(newNumber(), attackers(decoy)));
      }
      for (let index = 0; index < 8; index += 1) {
        place.keywright.clock.advance(31);
        expectStatus(200, await place.requestMessage(victim.identifier, attackers(index)));
      }
      assert.equal(await place.sent(), 6);
      expectStatus(200, await place.requestMessage(owner.identifier, HOME));
      await textedTo(place.texts, owner.identifier);
    },
  };
}

const FIRST = '+436641234567';
const FURTHER = ['+41791234567', '+4915112345678', '+33612345678', '+447400123456'];
const SIXTH = '+393123456789';

const COUNTRIES: Scenario = {
  async run(place) {
    await place.withSms();
    for (const number of [FIRST, ...FURTHER]) {
      expectStatus(200, await place.requestMessage(number, ATTACKER));
    }
    assert.equal((await place.requestMessage(SIXTH, ATTACKER)).status, 429);
    expectStatus(200, await place.requestMessage(SIXTH, HOME));
    // The network can still request messages to countries that it used before.
    place.keywright.clock.advance(31);
    expectStatus(200, await place.requestMessage(FIRST, ATTACKER));
  },
};

/** Logs in the user of an address with a code of ten digits. @param earlier the number of codes sent before */
async function requireLongCode(place: Place, identifier: string, earlier: number): Promise<void> {
  const flow = await place.startFlow(identifier, HOME);
  expectStatus(200, await place.send(flow, HOME));
  const { code } = await mailedTo(place.mails, identifier, earlier);
  assert.match(code, /^[0-9]{10}$/, 'longer');
  assert.equal(expectStatus(200, await place.prove(flow, code, HOME)).flow.status, 'complete');
}

export const MESSAGE_SCENARIOS = {
  code: {
    async run(place) {
      const owner = await place.member();
      for (let round = 0; round < 5; round += 1) {
        const flow = await place.startFlow(owner.identifier, attackers(round));
        expectStatus(200, await place.send(flow, attackers(round)));
        for (let wrong = 0; wrong < 5; wrong += 1) {
          await place.prove(flow, '00000000', attackers(round));
        }
      }
      assert.equal(await place.sent(), 5);
      await requireLongCode(place, owner.identifier, 5);
    },
  },
  'message now': requested(1, 1),
  'message hour': requested(5, 31),
  'message day': requested(10, 1000),
  'recipient hour': received(10, 1),
  'recipient day': received(20, 420),
  'recipient newcomer': received(10, 1),
  'emails of tenant': TENANT_MAILS,
  'messages newcomer': TENANT_MAILS,
  'sms hour': textsOf('sms_hourly_limit'),
  'sms day': textsOf('sms_daily_limit'),
  'sms country': textsOf('sms_country_hourly_limit'),
  'sms seen': COUNTRIES,
  'sms countries': COUNTRIES,
  delivery: {
    async run(place) {
      const owner = await place.member();
      for (const slug of ['one', 'two', 'three']) {
        const other = place.at(await place.keywright.tenant(`delivery-${slug}`));
        for (let index = 0; index < 10; index += 1) {
          const from = attackers(index);
          const flow = await other.startFlow(owner.identifier, from, { register: true });
          expectStatus(200, await other.send(flow, from));
        }
        await other.sent();
      }
      expectStatus(200, await place.requestMessage(owner.identifier, HOME));
      assert.equal(await place.sent(), 1);
    },
  },
  'guesses of a message': {
    async run(place) {
      const { identifier } = await place.member();
      const userFlow = await place.startFlow(identifier, HOME);
      expectStatus(200, await place.send(userFlow, HOME));
      const { code } = await mailedTo(place.mails, identifier);
      const foreign = await place.startFlow(identifier, ATTACKER);
      expectStatus(200, await place.send(foreign, ATTACKER));
      for (let wrong = 0; wrong < 6; wrong += 1) await place.prove(foreign, '00000000', ATTACKER);
      assert.equal(
        expectStatus(200, await place.prove(userFlow, code, HOME)).flow.status,
        'complete',
      );
    },
  },
  'wrong codes of tenant': {
    async run(place) {
      const [owner, other] = [await place.member(), await place.member()];
      expectStatus(200, await place.requestMessage(other.identifier, ATTACKER));
      const { tenant, keywright } = place;
      const sql = 'UPDATE challenges SET guesses = 500 WHERE tenant_id = $1';
      await keywright.database.query(sql, [tenant.id]);
      keywright.clock.advance(60);
      await requireLongCode(place, owner.identifier, 0);
    },
  },
  'paused country': {
    async run(place) {
      const { tenant, keywright } = place;
      const owner = await place.member();
      const number = newNumber();
      await place.setIdentifiers(owner.id, [
        { type: 'email', identifier: owner.identifier, verified: true },
        { type: 'phone', identifier: number, verified: true },
      ]);
      await keywright.database.query(
        `INSERT INTO sms_traffic (tenant_id, country, sent, redeemed) VALUES ($1, 'DE', 50, 0)`,
        [tenant.id],
      );
      await place.withSms({ mfa_methods: ['sms'], require_mfa: true });
      assert.equal((await place.requestMessage(newNumber(), ATTACKER)).status, 429);
      assert.equal((await place.requestMessage(newNumber(), HOME)).status, 429, 'paused');
      const login = await place.post<ErrorBody & { flow: OfferedFlow }>('/auth/login', HOME, {
        identifier: owner.identifier,
        secret: owner.secret,
      });
      const { flow } = expectStatus(401, login);
      expectStatus(200, await place.send({ flow, flow_token: flow.flow_token ?? '' }, HOME));
      await textedTo(place.texts, number);
    },
  },
} as const satisfies Readonly<Record<string, Scenario>>;
