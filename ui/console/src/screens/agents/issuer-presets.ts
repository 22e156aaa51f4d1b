// Issuers of tokens that workloads have already, and what identifies a workload there.

import type { AgentTrust } from '@keywright/sdk';

export const ISSUER_PRESETS = ['github', 'gitlab', 'google', 'aws', 'kubernetes', 'other'] as const;
export type IssuerPreset = (typeof ISSUER_PRESETS)[number];

interface Preset {
  readonly name?: string;
  /** Empty: each account or cluster has its own. */
  readonly issuer: string;
  readonly issuerExample: string;
  /** An example of the subject. Without it, claims identify the workload. */
  readonly subject?: string;
  /** Examples of the claims to fill in. */
  readonly claims?: Readonly<Record<string, string>>;
  /** The workload cannot get a new token for each use. */
  readonly isReused?: true;
}

const PRESETS: Readonly<Record<IssuerPreset, Preset>> = {
  // https://docs.github.com/actions/reference/security/oidc
  github: {
    name: 'GitHub Actions',
    issuer: 'https://token.actions.githubusercontent.com',
    issuerExample: 'https://token.actions.githubusercontent.com',
    claims: { repository: 'octo-org/garden', ref: 'refs/heads/main' },
  },
  // https://docs.gitlab.com/ci/secrets/id_token_authentication
  gitlab: {
    name: 'GitLab CI/CD',
    issuer: 'https://gitlab.com',
    issuerExample: 'https://gitlab.com',
    claims: { project_path: 'octo-group/garden', ref_type: 'branch', ref: 'main' },
  },
  // https://docs.cloud.google.com/docs/authentication/token-types
  google: {
    name: 'Google Cloud',
    issuer: 'https://accounts.google.com',
    issuerExample: 'https://accounts.google.com',
    subject: '104123456789012345678',
  },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_outbound.html
  aws: {
    name: 'AWS',
    issuer: '',
    issuerExample: 'https://00000000-0000-0000-0000-000000000000.tokens.sts.global.api.aws',
    subject: 'arn:aws:iam::123456789012:role/importer',
  },
  // https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account
  kubernetes: {
    name: 'Kubernetes',
    issuer: '',
    issuerExample: 'https://oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71',
    subject: 'system:serviceaccount:shop:checkout',
    isReused: true,
  },
  other: { issuer: '', issuerExample: 'https://ci.example.com', subject: 'deploy' },
};

export function presetOf(preset: IssuerPreset): Preset {
  return PRESETS[preset];
}

/** What is typed into the form. */
export interface TypedTrust {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, string>>;
}

/** Returns the trust that the form describes. Empty claims are omitted. */
export function trustOf(preset: IssuerPreset, typed: TypedTrust): AgentTrust {
  const { claims = {}, isReused } = PRESETS[preset];
  const filled = Object.keys(claims).flatMap((name) => {
    const value = typed.claims[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const subject = typed.subject.trim();
  return {
    issuer: typed.issuer.trim(),
    audience: typed.audience.trim(),
    ...(subject !== '' && { subject }),
    ...(filled.length > 0 && { claims: Object.fromEntries(filled) }),
    ...(isReused && { single_use: false }),
  };
}
