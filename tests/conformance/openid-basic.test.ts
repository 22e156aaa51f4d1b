// The OpenID Provider’s basic profile, with responses in the query.

import { describeBasicProfile } from './basic-profile/profile.ts';

describeBasicProfile('query');
