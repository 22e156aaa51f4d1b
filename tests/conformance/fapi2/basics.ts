// A tenant under the profile, and two applications of it.

import type { UserBrowser } from '../../harness/code-login.ts';
import { type Keywright, startKeywright } from '../../harness/keywright.ts';
import type { TestTenant, TestUser } from '../../harness/tenant.ts';
import { Fapi2Party } from '../../harness/fapi2-party.ts';

export class Fapi2 {
  keywright!: Keywright;
  tenant!: TestTenant;
  user!: TestUser;
  party!: Fapi2Party;
  /** The second client of the plans. */
  other!: Fapi2Party;
  /** The user's logged-in browser. */
  browser!: UserBrowser;

  async start(fields: object = {}): Promise<void> {
    this.keywright = await startKeywright({ clock: 'fake', nodes: 2 });
    this.tenant = await this.keywright.tenant('fapi', { config: { oauth_profile: 'fapi2' } });
    this.user = await this.tenant.createUser();
    this.party = await this.register(fields);
    this.other = await this.register(fields);
    this.browser = this.party.browser(this.user);
  }

  register(fields: object = {}): Promise<Fapi2Party> {
    return Fapi2Party.register(this, fields);
  }
}
