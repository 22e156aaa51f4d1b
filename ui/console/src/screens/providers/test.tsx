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
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { Enabling } from './actions.tsx';

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
          <Trial provider={provider} />
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
      <Departure providerId={providerId} isNext={!isAccepted} />
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
  readonly providerId: string;
  /** Whether the next step of the test is a login. */
  readonly isNext: boolean;
}

function Departure({ providerId, isNext }: DepartureProps) {
  const { say } = useTexts();
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
            [say('messageReason'), <bdi key="reason">{reason ?? say('none')}</bdi>],
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
          <Enabling provider={provider} />
        </div>
      )}
      <Card title={say('testClaims')}>
        <Json value={claims ?? {}} label={say('testClaims')} />
      </Card>
    </>
  );
}
