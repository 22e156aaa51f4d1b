import { decodeJwt } from 'jose';
import type { TokenAnswer } from '../generated/records.ts';

/** The tokens of a login, which the client refreshes automatically. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Called with each new pair before it is used. Store the new refresh token, because each can be used only once. */
  readonly onRefresh?: (tokens: TokenAnswer) => void | Promise<void>;
}

/** An access token or API key, a function that returns one, or the tokens of a login. */
export type TokenOption = string | (() => string | Promise<string>) | TokenPair;

/** The source of a client's token. */
export interface TokenSource {
  current(): Promise<string | undefined>;
  /** Returns a replacement for a rejected token, if available. */
  renew(refused: string): Promise<string | undefined>;
}

/** How long before its expiry a token is refreshed. */
const RENEW_BEFORE_SECONDS = 10;

/** @param refresh exchanges a refresh token */
export function tokenSourceOf(
  option: TokenOption | undefined,
  refresh: (refreshToken: string) => Promise<TokenAnswer>,
): TokenSource {
  if (option === undefined || typeof option === 'string') return new FixedToken(option);
  if (typeof option === 'function') return new SuppliedTokens(option);
  return new RefreshedTokens(option, refresh);
}

/** One token, or none. */
class FixedToken implements TokenSource {
  readonly #token: string | undefined;

  constructor(token: string | undefined) {
    this.#token = token;
  }

  async current(): Promise<string | undefined> {
    return this.#token;
  }

  async renew(): Promise<undefined> {
    return undefined;
  }
}

/** The tokens that a function of the application returns. */
class SuppliedTokens implements TokenSource {
  readonly #supply: () => string | Promise<string>;

  constructor(supply: () => string | Promise<string>) {
    this.#supply = supply;
  }

  async current(): Promise<string> {
    return this.#supply();
  }

  async renew(refused: string): Promise<string | undefined> {
    const token = await this.#supply();
    return token === refused ? undefined : token;
  }
}

/** The tokens of a login. A single refresh serves all waiting calls. */
class RefreshedTokens implements TokenSource {
  #pair: TokenPair;
  #underWay: Promise<string> | undefined;
  readonly #refresh: (refreshToken: string) => Promise<TokenAnswer>;

  constructor(pair: TokenPair, refresh: (refreshToken: string) => Promise<TokenAnswer>) {
    this.#pair = pair;
    this.#refresh = refresh;
  }

  async current(): Promise<string> {
    const { access_token: token } = this.#pair;
    return this.#underWay ?? (isAboutToExpire(token) ? this.renew(token) : token);
  }

  async renew(refused: string): Promise<string> {
    const { access_token: token } = this.#pair;
    if (this.#underWay === undefined && token !== refused) return token;
    this.#underWay ??= this.#exchange().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #exchange(): Promise<string> {
    const { refresh_token: refreshToken, onRefresh } = this.#pair;
    const tokens = await this.#refresh(refreshToken);
    this.#pair = { ...tokens, ...(onRefresh === undefined ? {} : { onRefresh }) };
    await onRefresh?.(tokens);
    return tokens.access_token;
  }
}

function isAboutToExpire(token: string): boolean {
  try {
    const { exp } = decodeJwt(token);
    return exp !== undefined && exp - RENEW_BEFORE_SECONDS <= Date.now() / 1000;
  } catch {
    return false;
  }
}
