import { useCall } from '../../api/queries.ts';
import { Select } from '../../parts/form/select.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';

const NEWEST = { query: { limit: 100 } };

/** Selects the application whose branding is shown; the URL contains it. */
export function ApplicationChoice({ chosen }: { readonly chosen: string }) {
  const { say } = useTexts();
  const { filter } = useView();
  const clients = useCall(useTenant(), 'clients.list', NEWEST).data?.items ?? [];
  const isListed = chosen === '' || clients.some(({ id }) => id === chosen);
  return (
    <div className="choices">
      <Select
        label={say('brandingOf')}
        value={chosen}
        choices={[
          ['', say('brandingOfAll')],
          ...(isListed ? [] : [[chosen, chosen] as const]),
          ...clients.map(({ id, name }) => [id, name] as const),
        ]}
        onChoose={(client) => filter({ client })}
      />
    </div>
  );
}
