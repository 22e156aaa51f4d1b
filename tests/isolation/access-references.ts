import { newSigningKeyId, newUserId } from '@keywright/server/platform/crypto/ids';
import { evaluationOf } from '../harness/evaluation.ts';
import type { BodyReference } from './reference.ts';
import { randomName } from './requests.ts';

type Named = Pick<BodyReference, 'foreign' | 'random'>;
const SUBJECT: Named = {
  foreign: ({ foreign }) => foreign.admin.user.id,
  random: () => newUserId(new Date()),
};
const TOKEN: Named = {
  foreign: ({ foreign }) => foreign.admin.token,
  random: () => strangersToken(),
};
const WORKSPACE: Named = {
  foreign: ({ foreign }) => foreign.workspaceId,
  random: () => `ws_${randomName()}`,
};

const OK = { status: 200 };
/** The subjects, tokens and workspaces of an evaluation. It denies whatever the tenant does not have. */
function evaluationReferences(id: string, at = ''): Record<string, BodyReference> {
  const around = (question: object) => {
    const evaluation = evaluationOf({ scope: 'read:users', ...question });
    return at === '' ? evaluation : { evaluations: [evaluation] };
  };
  return {
    [`${id} ${at}/subject/id`]: {
      ...OK,
      ...SUBJECT,
      around: (subject) => around({ subject }),
    },
    [`${id} ${at}/subject/token`]: { ...OK, ...TOKEN, around: (token) => around({ token }) },
    [`${id} ${at}/resource/properties/workspace_id`]: {
      ...OK,
      ...WORKSPACE,
      around: (workspaceId, { member }) =>
        around({ token: member.token, workspace_id: workspaceId }),
    },
  };
}

/** The subject, token and workspace of an explanation. An unknown workspace is an error; others lack all scopes. */
function explainReferences(): Record<string, BodyReference> {
  const around = (question: object) => ({ scope: 'read:users', ...question });
  return {
    'access.explain /subject': { ...OK, ...SUBJECT, around: (subject) => around({ subject }) },
    'access.explain /token': { ...OK, ...TOKEN, around: (token) => around({ token }) },
    'access.explain /workspace_id': {
      status: 404,
      code: 'NOT_FOUND',
      ...WORKSPACE,
      around: (workspaceId, { member }) =>
        around({ token: member.token, workspace_id: workspaceId }),
    },
  };
}

/** A token of a tenant that does not exist. */
function strangersToken(): string {
  const parts = [
    { alg: 'EdDSA', typ: 'at+jwt', kid: newSigningKeyId(new Date()) },
    { tenant_id: `org_${randomName()}` },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...parts, Buffer.alloc(64).toString('base64url')].join('.');
}

export const ACCESS_REFERENCES: Readonly<Record<string, BodyReference>> = {
  ...evaluationReferences('access.evaluation'),
  ...evaluationReferences('access.evaluation_by_issuer'),
  ...evaluationReferences('access.evaluations'),
  ...evaluationReferences('access.evaluations_by_issuer'),
  ...evaluationReferences('access.evaluations', '/evaluations/*'),
  ...evaluationReferences('access.evaluations_by_issuer', '/evaluations/*'),
  ...explainReferences(),
};
