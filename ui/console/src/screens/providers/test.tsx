import type { IdentityProvider, ProviderTest } from '@keywright/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useCall, useChange } from '../../api/queries.ts';
import { useIssuer } from '../../api/issuer.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Json } from '../../parts/json.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { State } from '../../parts/state.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { Enabling } from './actions.tsx';
import { SetupSteps } from './steps.tsx';

/**
 * Performs a test login at a provider, which opens no session. The browser leaves, and returns with a result that is
 * shown once.
 */
export function ProviderTrial() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'providers.get', { params: { provider_id: id } });
  return (
    <Loaded query={query} route="providers.get" isScreen>
      {(provider) => (
        <Page
          title={say('providerTestOf', { name: provider.name })}
          about={say('providerTestHint')}
          from={{ to: `/providers/${id}`, title: provider.name }}
        >
          <div className="stack">
            {!provider.is_active && <SetupSteps current="stepTest" />}
            <Trial provider={provider} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}

/** A handoff is accepted once, so it is removed from the URL as soon as it was sent. */
function Trial({ provider }: { readonly provider: IdentityProvider }) {
  const { id: providerId } = provider;
  const { search } = useView();
  const navigate = useNavigate();
  const { mutate, data, error } = useChange(useTenant(), 'providers.finish_test');
  const { handoff, error: refusal } = search;
  const sent = useRef<string>(undefined);
  useEffect(() => {
    if (handoff === undefined || sent.current === handoff) return;
    sent.current = handoff;
    mutate({ params: { provider_id: providerId }, body: { handoff } });
    void navigate({ to: '.', search: {}, replace: true });
  }, [handoff, mutate, navigate, providerId]);
  const isAccepted = data?.accepted === true && data.tested_at !== null;
  return (
    <div className="stack">
      {error && <ProblemNote problem={error} route="providers.finish_test" />}
      {data && !error && <Claims result={data} provider={provider} />}
      {refusal !== undefined && !data && !error && <Refusal refusal={refusal} />}
      <Departure provider={provider} isNext={!isAccepted} startsNow={search['start'] === '1'} />
    </div>
  );
}

function Refusal({ refusal }: { readonly refusal: string }) {
  const { say } = useTexts();
  const isDeclined = refusal === 'access_denied';
  return (
    <p className="note bad" role="alert">
      {say(isDeclined ? 'providerDeclined' : 'providerRefused')}
    </p>
  );
}

interface DepartureProps {
  readonly provider: IdentityProvider;
  /** Whether the next step of the test is a login. */
  readonly isNext: boolean;
  /** The user has saved the provider to test it. */
  readonly startsNow: boolean;
}

function Departure({ provider, isNext, startsNow }: DepartureProps) {
  const { say } = useTexts();
  const navigate = useNavigate();
  const { id: providerId } = provider;
  const isStarted = useRef(false);
  const tenant = useTenant();
  const { data: issuer, error, refetch } = useIssuer(tenant);
  const test = useChange(tenant, 'providers.test', ({ authorize_url: at }) =>
    globalThis.location.assign(at),
  );
  const startTest = (to: string) => {
    const path = `/console/t/${tenant}/providers/${encodeURIComponent(providerId)}/test`;
    const body = { return_url: new URL(path, to).href };
    test.mutate({ params: { provider_id: providerId }, body });
  };
  useEffect(() => {
    if (!startsNow || issuer === undefined || isStarted.current) return;
    isStarted.current = true;
    // Back from the provider must not start another test.
    void navigate({ to: '.', search: {}, replace: true }).then(() => startTest(issuer));
  });
  return (
    <>
      {error && <ProblemNote problem={error} onRetry={() => void refetch()} />}
      {test.error && <ProblemNote problem={test.error} route="providers.test" />}
      <div className="actions">
        <Button
          kind={isNext ? 'solid' : 'plain'}
          disabled={issuer === undefined || test.isPending}
          onClick={() => issuer !== undefined && startTest(issuer)}
        >
          {say('logIn')}
        </Button>
        {isNext && !provider.is_active && <Enabling provider={provider} />}
      </div>
    </>
  );
}

interface ClaimsProps {
  readonly result: ProviderTest;
  readonly provider: IdentityProvider;
}

function Claims({ result, provider }: ClaimsProps) {
  const { say } = useTexts();
  const { accepted, reason, subject, email, claims } = result;
  const yesOrNo = (is: boolean) => say(is ? 'yes' : 'no');
  return (
    <>
      <Card title={say('testResult')}>
        <Facts
          rows={[
            [
              say('outcome'),
              <State
                key="outcome"
                word={say(accepted ? 'testAccepted' : 'testRejected')}
                tone={accepted ? 'ok' : 'bad'}
              />,
            ],
            [say('messageReason'), <Rejection key="reason" reason={reason} />],
            [say('testSubject'), <bdi key="subject">{subject ?? say('none')}</bdi>],
            [say('testTo'), <bdi key="email">{email ?? say('none')}</bdi>],
            [say('testVerified'), yesOrNo(result.is_verified)],
            [say('testAuthoritative'), yesOrNo(result.is_authoritative)],
            [say('testMfa'), yesOrNo(result.has_mfa)],
          ]}
        />
      </Card>
      {accepted && result.tested_at === null && (
        <p className="note bad" role="alert">
          {say('testOutdated')}
        </p>
      )}
      {provider.tested_at !== null && !provider.is_active && (
        <div className="actions">
          <EnableTested provider={provider} />
        </div>
      )}
      <Card title={say('testClaims')}>
        <Json value={claims ?? {}} label={say('testClaims')} />
      </Card>
    </>
  );
}

/** The reasons that have a sentence, by the start of their codes. */
const REJECTIONS = ['discovery', 'token', 'id_token', 'profile', 'client_key'] as const;

/** Explains why a login would be rejected. The code is the one in the audit log. */
function Rejection({ reason }: Pick<ProviderTest, 'reason'>) {
  const { say } = useTexts();
  if (reason === null) return say('none');
  const known = REJECTIONS.findLast((start) => reason.startsWith(start));
  return (
    <>
      {known !== undefined && <span>{say(`rejection.${known}`)} </span>}
      <bdi className="mono muted">{reason}</bdi>
    </>
  );
}

/** Enables a provider whose test has succeeded, without another question. */
function EnableTested({ provider: { id, name } }: { readonly provider: IdentityProvider }) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const toast = useToast();
  const { mutate, isPending, error } = useChange(tenant, 'providers.update', () => {
    toast(say('enabled', { name }));
    void navigate({ to: `/t/${tenant}/providers/${id}` });
  });
  return (
    <>
      {error && <ProblemNote problem={error} route="providers.update" />}
      <Button
        kind="solid"
        disabled={isPending}
        onClick={() => mutate({ params: { provider_id: id }, body: { is_active: true } })}
      >
        {say('enable')}
      </Button>
    </>
  );
}
