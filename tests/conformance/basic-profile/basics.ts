import assert from 'node:assert/strict';
import { newIdentifier, newPassword } from '../../harness/credentials.ts';
import { bcryptOf } from '../../harness/foreign-passwords.ts';
import { expectStatus } from '../../harness/http.ts';
import { type Keywright, startKeywright } from '../../harness/keywright.ts';
import type { TestTenant, TestUser } from '../../harness/tenant.ts';
import type { Visitor } from '../../harness/visitor.ts';
import { VerifyingParty, type ResponseMode, type Returned } from '../verifying-party.ts';

/** RFC 6749 §4.1.2.1, §5.2. */
const DESCRIPTION = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;
/** RFC 6749 Appendix A.12, A.17. */
export const VISIBLE = /^[\x20-\x7e]+$/;

/** Of the user. */
export const PROFILE = {
  name: 'Ada King',
  given_name: 'Ada',
  middle_name: 'Augusta',
  family_name: 'King',
  nickname: 'Ada',
  preferred_username: 'ada',
  profile: 'https://app.example.com/ada',
  picture: 'https://app.example.com/ada.png',
  website: 'https://ada.example.com',
  gender: 'female',
  birthdate: '1815-12-10',
  locale: 'en-GB',
  zoneinfo: 'Europe/London',
};

type Changes = Readonly<Record<string, string | undefined>>;

interface Parts {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly user: TestUser;
  readonly phone: string;
  readonly party: VerifyingParty;
  /** The user's logged-in browser. */
  readonly browser: Visitor;
  /** What that led to. */
  readonly first: Returned;
}

/** A provider, an application and a user, whom all tests of a response mode share. */
export class Basics {
  readonly mode: ResponseMode;
  #parts: Parts | undefined;

  constructor(mode: ResponseMode) {
    this.mode = mode;
  }

  async start(): Promise<void> {
    const { mode } = this;
    const keywright = await startKeywright({ clock: 'fake' });
    const tenant = await keywright.tenant('basic');
    const [user, phone] = await createPerson(tenant);
    const party = await VerifyingParty.register({ keywright, tenant, mode });
    const browser = party.browser();
    const first = await party.logIn(browser, user);
    this.#parts = { keywright, tenant, user, phone, party, browser, first };
  }

  get #started(): Parts {
    if (!this.#parts) throw new Error('It has not started.');
    return this.#parts;
  }
  get keywright() {
    return this.#started.keywright;
  }
  get tenant() {
    return this.#started.tenant;
  }
  get user() {
    return this.#started.user;
  }
  get phone() {
    return this.#started.phone;
  }
  get party() {
    return this.#started.party;
  }
  get browser() {
    return this.#started.browser;
  }
  get first() {
    return this.#started.first;
  }

  register(fields: object = {}): Promise<VerifyingParty> {
    const { keywright, tenant, mode } = this;
    return VerifyingParty.register({ keywright, tenant, mode }, fields);
  }

  /** The error that the client receives, without a page and without a code. */
  async errorOf(changes: Changes, browser = this.browser): Promise<string | undefined> {
    const { parameters } = await this.party.authorize(browser, changes);
    const { error, error_description: description, ...others } = parameters;
    assert.deepEqual(Object.keys(others).toSorted(), ['iss', 'state']);
    if (description !== undefined) assert.match(description, DESCRIPTION);
    return error;
  }
}

/** RFC 6749 §5.2. */
export async function expectInvalidGrant(
  response: ReturnType<VerifyingParty['redeem']>,
): Promise<void> {
  const { status, headers, body } = await response;
  assert.deepEqual([status, body['error']], [400, 'invalid_grant']);
  assert.match(headers['content-type'] ?? '', /^application\/json\b/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(String(body['error_description']), DESCRIPTION);
  assert.match(String(body['error_uri']), /^http[\x21\x23-\x5b\x5d-\x7e]+\/docs\/errors\/[a-z_]+$/);
}

/** A user with a value for every claim. @returns with their phone number */
async function createPerson(tenant: TestTenant): Promise<[TestUser, string]> {
  const [identifier, password, phone] = [newIdentifier(), newPassword(), '+442079460958'];
  const { name, picture, ...claims } = PROFILE;
  const person = {
    identifiers: [
      { identifier, verified: true },
      { identifier: phone, verified: true },
    ],
    password: await bcryptOf(password),
    name,
    picture,
    metadata: { ...claims, plan: 'team' },
  };
  const answer = await tenant.request('POST', '/users/import', {
    token: await tenant.adminToken(),
    rawBody: JSON.stringify(person),
    contentType: 'application/x-ndjson',
  });
  assert.equal(expectStatus(200, answer)['created'], 1);
  const login = await tenant.login(identifier, password);
  const { access_token: token, refresh_token: refreshToken, user } = login;
  return [{ user, identifier, password, token, refreshToken } as TestUser, phone];
}
