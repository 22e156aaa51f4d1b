import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { DpopOptions, SentProof } from '../verifier/dpop.ts';
import { readSettings, type VerifierOptions } from '../verifier/options.ts';
import {
  requireAll,
  type RequestRequirement,
  type Requirement,
  scopesOf,
} from '../verifier/requirements.ts';
import { Verifier } from '../verifier/verifier.ts';
import {
  metadataOf,
  metadataUrlOf,
  type ResourceDescription,
  type ResourceMetadata,
} from './metadata.ts';

/** How a protected resource accepts tokens that are bound to keys (RFC 9449). */
export interface ResourceDpop {
  /** Rejects tokens that are not bound to a key. */
  readonly required?: boolean;
  /**
   * Checks whether a proof is new, for services with several processes. Default: each process remembers the proofs
   * that it accepted.
   */
  readonly isNew?: NonNullable<DpopOptions['isNew']>;
}

/** Options of a protected resource. Only `resource` and `issuer` are required. */
export interface ProtectedResourceOptions
  extends ResourceDescription, Omit<VerifierOptions, 'audience' | 'dpop'> {
  /** Accepts tokens bound to keys with their proofs. By default, bearer tokens are also accepted. */
  readonly dpop?: ResourceDpop;
}

/**
 * A service with its own tokens (RFC 8707): a verifier that accepts only tokens for this service, and whose
 * rejections name the URL where clients get one. Adapters accept it like any verifier. API keys are not accepted.
 */
export class ProtectedResource<
  Custom extends object = Record<never, never>,
> extends Verifier<Custom> {
  /** The metadata for clients. */
  readonly metadata: ResourceMetadata;
  /** Where they learn it. */
  readonly metadataUrl: string;
  /** The path of the metadata URL. */
  readonly metadataPath: string;
  readonly #isProofRequired: boolean;
  readonly #now: () => number;

  constructor(options: ProtectedResourceOptions) {
    const { resource, issuer, allowHttp = false, dpop = {}, now = Date.now } = options;
    const { required = false, ...proofs } = dpop;
    const address = metadataUrlOf(resource, allowHttp);
    const metadata = Object.freeze(metadataOf(options, issuer, required));
    super(
      readSettings({
        ...options,
        audience: resource,
        dpop: { ...proofs, origins: address.origin },
      }),
    );
    this.metadata = metadata;
    this.metadataUrl = address.href;
    this.metadataPath = address.pathname;
    this.#isProofRequired = required;
    this.#now = now;
  }

  override verify(
    token: string,
    requirement: Requirement = {},
  ): Promise<AccessTokenClaims & Custom> {
    return this.#challenging(requirement, () => super.verify(token, requirement));
  }

  override authenticate(
    authorization: string | null | undefined,
    requirement: RequestRequirement = {},
    sent?: SentProof,
  ): Promise<AccessTokenClaims & Custom> {
    return this.#challenging(requirement, () =>
      super.authenticate(authorization, withoutApiKeys(requirement), sent),
    );
  }

  /**
   * Checks additional requirements of an authenticated request, such as the scope of the tool that it calls.
   *
   * @throws VerificationError whose challenge names what the client must request from the user
   */
  require(claims: AccessTokenClaims, requirement: Requirement): void {
    try {
      requireAll(claims, requirement, this.#now());
    } catch (error) {
      throw this.#withChallenge(error, requirement);
    }
  }

  async #challenging<Claims extends AccessTokenClaims>(
    requirement: Requirement,
    verify: () => Promise<Claims>,
  ): Promise<Claims> {
    try {
      const claims = await verify();
      if (this.#isProofRequired && claims.cnf === undefined) throw new VerificationError('unbound');
      return claims;
    } catch (error) {
      throw this.#withChallenge(error, requirement);
    }
  }

  #withChallenge(error: unknown, requirement: Requirement): unknown {
    if (!(error instanceof VerificationError)) return error;
    const { reason, missingScopes, heldScopes, stepUp, cause } = error;
    // A client that requests fewer scopes than before would lose those that it has.
    const scopes = [...new Set([...heldScopes, ...scopesOf(requirement)])];
    const { metadataUrl } = this;
    return new VerificationError(reason, {
      missingScopes,
      heldScopes,
      stepUp,
      resource: { metadataUrl, scopes, isProofRequired: this.#isProofRequired },
      cause,
    });
  }
}

/** API keys are removed because they grant everything that their agent can do and are not specific to this resource. */
function withoutApiKeys(requirement: RequestRequirement): Requirement {
  const { apiKeys: _, ...others } = requirement;
  return others;
}

/**
 * Creates a protected resource (RFC 9728), such as an MCP server. Nothing is fetched before the first token.
 *
 * @throws TypeError for invalid options
 */
export function createProtectedResource<Custom extends object = Record<never, never>>(
  options: ProtectedResourceOptions,
): ProtectedResource<Custom> {
  return new ProtectedResource<Custom>(options);
}
