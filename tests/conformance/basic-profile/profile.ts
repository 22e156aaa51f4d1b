// The requirements of the OpenID Connect basic profile for a provider, in each response mode, as checked by the plans
// "basic" and "form post basic" of the OpenID Foundation's conformance suite.

import { after, before } from 'node:test';
import type { ResponseMode } from '../verifying-party.ts';
import { Basics } from './basics.ts';
import { describeCodes } from './codes.ts';
import { describeLogins } from './logins.ts';
import { describeRefresh } from './refresh-tokens.ts';
import { describeRequests } from './requests.ts';
import { describeUserinfo } from './userinfo.ts';

export function describeBasicProfile(mode: ResponseMode): void {
  const basics = new Basics(mode);
  before(() => basics.start());
  after(() => basics.keywright.close());
  describeCodes(basics);
  describeRequests(basics);
  describeLogins(basics);
  describeUserinfo(basics);
  describeRefresh(basics);
}
