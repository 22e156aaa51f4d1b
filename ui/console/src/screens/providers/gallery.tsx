import { BrandMark } from '../../parts/brand-mark.tsx';
import { Card } from '../../parts/card.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
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

/** Links to the creation of each kind of provider, with its mark. */
export function ProviderKinds() {
  const { say } = useTexts();
  return (
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
    </ul>
  );
}
