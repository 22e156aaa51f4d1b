import { BrandMark } from '../../parts/brand-mark.tsx';
import { Card } from '../../parts/card.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { PROVIDER_TYPES } from './kinds.ts';

/** The kinds of providers to choose from, each with its mark. */
export function ProviderGallery() {
  const { say } = useTexts();
  return (
    <Card title={say('providerCreate')} about={say('providerKindHint')}>
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
    </Card>
  );
}
