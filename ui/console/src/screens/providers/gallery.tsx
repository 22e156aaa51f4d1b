import { useNavigate } from '@tanstack/react-router';
import { useCall, useChange } from '../../api/queries.ts';
import { BrandMark } from '../../parts/brand-mark.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isInside } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';
import { PROVIDER_TYPES } from './kinds.ts';

/** The kinds of providers to choose from, on the list of providers. */
export function ProviderGallery() {
  const { say } = useTexts();
  return (
    <Card title={say('providerCreate')} about={say('providerKindHint')}>
      <ProviderKinds />
    </Card>
  );
}

/** Links to the creation of each kind of provider, with its mark. In development, there is a demo provider too. */
export function ProviderKinds() {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'providers.prepare', {});
  return (
    <Loaded query={query} route="providers.prepare" rows={5}>
      {({ id, demo_issuer: demo }) => (
        <ul className="gallery">
          {PROVIDER_TYPES.map((type) => (
            <li key={type}>
              <Place to="/providers/new" search={{ type }}>
                <BrandMark of={type} />
                <span>
                  <strong>{say(`provider.${type}`)}</strong>
                  <small>{say(`for.${type}`)}</small>
                </span>
              </Place>
            </li>
          ))}
          {/* The test returns to the console of the tenant, where an operator inside it has no session. */}
          {demo !== null && !isInside && (
            <li>
              <DemoProvider id={id} issuer={demo} />
            </li>
          )}
        </ul>
      )}
    </Loaded>
  );
}

interface DemoProps {
  readonly id: string;
  readonly issuer: string;
}

/** Adds the demo provider of a developer, and tests it: it requires no registration and no secret. */
function DemoProvider({ id, issuer }: DemoProps) {
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useChange(tenant, 'providers.create', () => {
    void navigate({ to: `/t/${tenant}/providers/${id}/test`, search: { start: '1' } });
  });
  const name = say('provider.demo');
  const body = { id, type: 'oidc', name, issuer, client_id: 'demo', is_active: false } as const;
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => mutate({ body })}>
        <BrandMark of="oidc" />
        <span>
          <strong>{name}</strong>
          <small>{say('for.demo')}</small>
        </span>
      </button>
      {error && <ProblemNote problem={error} route="providers.create" />}
    </>
  );
}
