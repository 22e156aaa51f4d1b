import type { CDPSession, Page } from 'playwright-core';

type Passkey = { readonly credentialId: string; readonly signCount: number };

/** A virtual authenticator of a browser (WebAuthn §11), by the Chrome DevTools Protocol. */
export class Authenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  static async addTo(page: Page): Promise<Authenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const;
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
    return new Authenticator(session, authenticatorId);
  }

  async passkeys(): Promise<readonly Passkey[]> {
    const id = { authenticatorId: this.#id };
    return (await this.#session.send('WebAuthn.getCredentials', id)).credentials;
  }

  async replaceBy(passkeys: readonly Passkey[]): Promise<void> {
    const id = { authenticatorId: this.#id };
    await this.#session.send('WebAuthn.clearCredentials', id);
    for (const credential of passkeys) {
      await this.#session.send('WebAuthn.addCredential', {
        ...id,
        credential: credential as never,
      });
    }
  }

  async verifyUser(isUserVerified: boolean): Promise<void> {
    const state = { authenticatorId: this.#id, isUserVerified };
    await this.#session.send('WebAuthn.setUserVerified', state);
  }

  /** Adds an authenticator with the same passkeys to another page. */
  async shareWith(page: Page): Promise<void> {
    const other = await Authenticator.addTo(page);
    await other.replaceBy(await this.passkeys());
  }
}
