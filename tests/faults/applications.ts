import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import type { Answer } from '../harness/http.ts';
import { newPkce, Visitor } from '../harness/visitor.ts';
import { Fleet } from './fleet.ts';

const ISSUER = 'https://id.example.com';
const TENANT = 'org_default';
const CALLBACK = 'https://app.example.com/callback';
const FORM = 'application/x-www-form-urlencoded';

interface ClientSession {
  readonly id: string;
  readonly code: string;
}

/** A fleet, with an application and a browser whose user has logged in. */
export class Applications {
  readonly fleet: Fleet;
  readonly #pkce = newPkce();
  #clientId = '';
  #cookie = '';

  private constructor(fleet: Fleet) {
    this.fleet = fleet;
  }

  static async start(nodes: number): Promise<Applications> {
    const fleet = await Fleet.start({ nodes });
    const applications = new Applications(fleet);
    try {
      await applications.#prepare();
      return applications;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  /** An authorization code. @throws if the node returns none */
  async authorize(node: number): Promise<string> {
    const answer = await this.fleet.request<unknown>(node, 'GET', this.#path(), {
      tenant: TENANT,
      host: new URL(ISSUER).host,
      headers: { cookie: this.#cookie },
    });
    const code = new URL(answer?.headers.location ?? ISSUER).searchParams.get('code');
    if (code === null) throw new Error(`No code: ${answer?.status} ${answer?.text}`);
    return code;
  }

  /** Undefined if the process died before it responded. */
  exchange(node: number, code: string): Promise<Answer<ClientTokenAnswer> | undefined> {
    const form = {
      grant_type: 'authorization_code',
      client_id: this.#clientId,
      code,
      redirect_uri: CALLBACK,
      code_verifier: this.#pkce.verifier,
    };
    const rawBody = new URLSearchParams(form).toString();
    return this.fleet.request(node, 'POST', '/auth/token', { rawBody, contentType: FORM });
  }

  /** The active client sessions, each with the hexadecimal SHA-256 of its code. */
  sessions(): Promise<ClientSession[]> {
    return this.fleet.database.query<ClientSession>(
      `SELECT id, encode(code_hash, 'hex') AS code FROM sessions WHERE kind = 'client' AND is_active`,
    );
  }

  close(): Promise<void> {
    return this.fleet.close();
  }

  #path(): string {
    return `/oauth/authorize?${new URLSearchParams(this.#parameters()).toString()}`;
  }

  #parameters(): Record<string, string> {
    return {
      client_id: this.#clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      code_challenge: this.#pkce.challenge,
      code_challenge_method: 'S256',
    };
  }

  async #prepare(): Promise<void> {
    const client = { name: 'Invoices', kind: 'spa', first_party: true, redirect_uris: [CALLBACK] };
    const { id } = await this.fleet.requestOk<{ id: string }>(0, 'POST', '/clients', {
      token: this.fleet.adminToken,
      body: client,
    });
    this.#clientId = id;
    const user = { identifier: newIdentifier(), secret: newPassword() };
    const body = { ...user, register: true };
    await this.fleet.requestOk(0, 'POST', '/auth/login', { body });
    const { http } = await this.fleet.node(0);
    const request: typeof http.request = (method, path, options) =>
      http.request(method, path, { ...options, tenant: TENANT });
    const browser = new Visitor({ request }, ISSUER);
    await browser.authorize(this.#parameters());
    const { redirectsTo, title } = await browser.press('login', user);
    if (!redirectsTo) throw new Error(`Not logged in: ${title}`);
    this.#cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
