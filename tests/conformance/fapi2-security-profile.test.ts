// The checks of the plan fapi2-security-profile-final of the OpenID Foundation's conformance suite, in the variant
// private_key_jwt, DPoP, OpenID Connect, unsigned requests and plain responses. Each title starts with the module
// that it covers.

import { after, before } from 'node:test';
import { Fapi2 } from './fapi2/basics.ts';
import { describeClients } from './fapi2/clients.ts';
import { describeCodes } from './fapi2/codes.ts';
import { describeProofs } from './fapi2/proofs.ts';
import { describePushed } from './fapi2/pushed.ts';
import { describeRefresh } from './fapi2/refresh.ts';
import { describeRequests } from './fapi2/requests.ts';

const fapi2 = new Fapi2();
before(() => fapi2.start());
after(() => fapi2.keywright.close());
describeRequests(fapi2);
describePushed(fapi2);
describeCodes(fapi2);
describeClients(fapi2);
describeProofs(fapi2);
describeRefresh(fapi2);
