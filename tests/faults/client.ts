import { randomBytes } from 'node:crypto';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Answer } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import type { Random } from '../harness/random.ts';
import { sessionOf } from '../harness/token.ts';
import type { Fleet } from './fleet.ts';
import type { History } from './history.ts';

type Answered<Body> = Promise<Answer<Body & ErrorBody> | undefined>;

interface Ended {
  readonly session: string;
  readonly tokens: TokenAnswer;
}

/** A well-behaved client on any node that records responses. Requests without a response are retried. */
export class Client {
  readonly #fleet: Fleet;
  readonly #history: History;
  readonly #random: Random;
  #tokens: TokenAnswer;
  #ended: Ended | undefined;
  /** Successful requests. */
  served = 0;

  constructor(fleet: Fleet, history: History, random: Random, tokens: TokenAnswer) {
    this.#fleet = fleet;
    this.#history = history;
    this.#random = random;
    this.#tokens = tokens;
  }

  async live(isOver: () => boolean): Promise<void> {
    while (!isOver() && !this.#fleet.isClosed) await this.#step();
  }

  #step(): Promise<void> {
    const lot = this.#random.between(0, 100);
    if (lot < 55) return this.#refresh();
    if (lot < 75) return this.#write();
    if (lot < 88) return this.#look();
    if (lot < 96) return this.#tryEnded();
    return this.#logOut();
  }

  #request<Body = object>(method: string, path: string, options: object): Answered<Body> {
    return this.#fleet.request(this.#random.between(0, this.#fleet.size), method, path, options);
  }

  /** Refreshes with one token, sometimes twice concurrently, until there is a response. */
  async #refresh(): Promise<void> {
    const { refresh_token: parent } = this.#tokens;
    const session = sessionOf(this.#tokens.access_token);
    while (!this.#fleet.isClosed) {
      const twins = this.#random.between(0, 4) === 0 ? 2 : 1;
      const answers = await parallel(twins, () => {
        const body = { refresh_token: parent };
        return this.#request<TokenAnswer>('POST', '/auth/refresh', { body });
      });
      for (const answer of answers) {
        if (answer?.status === 401) this.#history.stranded(`${session}: ${answer.text}`);
        if (answer?.status !== 200) continue;
        this.#history.rotated(session, parent, answer.body.refresh_token);
        this.#tokens = answer.body;
        this.served += 1;
      }
      if (answers.some((answer) => answer?.status === 200 || answer?.status === 401)) return;
    }
  }

  async #write(): Promise<void> {
    const slug = randomBytes(8).toString('hex');
    const options = { token: this.#fleet.adminToken, body: { name: slug, slug } };
    const answer = await this.#request('POST', '/workspaces', options);
    if (answer?.status !== 201) return;
    this.#history.acknowledged(slug);
    this.served += 1;
  }

  async #look(): Promise<void> {
    const startedAt = this.#history.turn();
    const { access_token: token } = this.#tokens;
    const answer = await this.#request('GET', '/me', { token });
    if (answer?.status === 401) this.#history.stranded(`${sessionOf(token)} at /me`);
    if (answer?.status !== 200) return;
    this.#history.accepted(sessionOf(token), startedAt, 'an access token');
    this.served += 1;
  }

  /** Repeatedly tries revoked tokens, on every node. */
  async #tryEnded(): Promise<void> {
    if (!this.#ended) return;
    const { session, tokens } = this.#ended;
    const startedAt = this.#history.turn();
    const body = { refresh_token: tokens.refresh_token };
    const [me, refresh] = await Promise.all([
      this.#request('GET', '/me', { token: tokens.access_token }),
      this.#request('POST', '/auth/refresh', { body }),
    ]);
    if (me?.status === 200) this.#history.accepted(session, startedAt, 'an access token');
    if (refresh?.status === 200) this.#history.accepted(session, startedAt, 'a refresh token');
  }

  /** Ends the session and starts another one. */
  async #logOut(): Promise<void> {
    const tokens = this.#tokens;
    const session = sessionOf(tokens.access_token);
    let mayBeDone = false;
    while (!this.#fleet.isClosed) {
      const answer = await this.#request('POST', '/auth/logout', { token: tokens.access_token });
      // After a request without a response, 401 means that it succeeded.
      if (answer?.status === 401 && !mayBeDone) this.#history.stranded(`${session} at logout`);
      mayBeDone ||= answer?.status !== 401;
      if (answer?.status === 200 || answer?.status === 401) {
        this.#history.revoked(session);
        this.#ended = { session, tokens };
        await this.#register();
        return;
      }
    }
  }

  async #register(): Promise<void> {
    while (!this.#fleet.isClosed) {
      const node = this.#random.between(0, this.#fleet.size);
      const tokens = await this.#fleet.register(node).catch(() => undefined);
      if (!tokens) continue;
      this.#tokens = tokens;
      return;
    }
  }
}
