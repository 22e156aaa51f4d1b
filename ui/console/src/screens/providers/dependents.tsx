import type { ProviderDependents as Dependents } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { Count } from '../../parts/count.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** Shows what is deleted along with a provider. */
export function ProviderDependents({ providerId }: { readonly providerId: string }) {
  const query = useCall(useTenant(), 'providers.dependents', {
    params: { provider_id: providerId },
  });
  return (
    <Loaded query={query} route="providers.dependents" rows={3}>
      {(dependents) => <Numbers dependents={dependents} />}
    </Loaded>
  );
}

function Numbers({ dependents }: { readonly dependents: Dependents }) {
  const { say } = useTexts();
  const { identities, without_other_way: stranded, domains } = dependents;
  return (
    <Facts
      rows={[
        [say('providerIdentities'), <Count key="identities" count={identities} />],
        [
          say('providerStranded'),
          stranded === undefined ? say('notCounted') : <Count key="stranded" count={stranded} />,
        ],
        [say('providerDomains'), <Scopes key="domains" scopes={domains} />],
      ]}
    />
  );
}
