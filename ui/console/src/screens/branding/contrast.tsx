import type { Preview } from '@keywright/sdk';
import { Card } from '../../parts/card.tsx';
import { State } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Contrast = Preview['contrast'];

/** What the colors become on the pages, and how well each can be seen. */
export function ContrastCard({ contrast }: { readonly contrast: Contrast }) {
  const { say } = useTexts();
  const isMoved = contrast.some((pair) => pair.is_moved);
  return (
    <Card title={say('contrast')}>
      <div className="stack">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{say('contrastPart')}</th>
              <th scope="col">{say('contrastColors')}</th>
              <th scope="col">{say('contrastRatio')}</th>
            </tr>
          </thead>
          <tbody>
            {contrast.map((pair) => (
              <Row key={`${pair.part} ${pair.color_scheme}`} pair={pair} />
            ))}
          </tbody>
        </table>
        <p className="muted">{say(isMoved ? 'contrastMoved' : 'contrastKept')}</p>
      </div>
    </Card>
  );
}

function Row({ pair }: { readonly pair: Contrast[number] }) {
  const { say, number } = useTexts();
  const isEnough = pair.ratio >= pair.required;
  const words = { ratio: number(pair.ratio), required: number(pair.required) };
  return (
    <tr>
      <th scope="row">
        {say(`contrast.${pair.part}`)}{' '}
        <span className="muted">{say(`theme.${pair.color_scheme}`)}</span>
      </th>
      <td>
        <Swatch color={pair.color} on={pair.background} />{' '}
        <bdi className="mono">
          {pair.color} / {pair.background}
        </bdi>
        {pair.is_moved && <span className="muted"> {say('contrastAdjusted')}</span>}
      </td>
      <td>
        <State word={say('contrastOf', words)} tone={isEnough ? 'ok' : 'bad'} />
      </td>
    </tr>
  );
}

function Swatch({ color, on }: { readonly color: string; readonly on: string }) {
  return (
    <svg className="swatch" viewBox="0 0 44 20" aria-hidden="true">
      <rect width="44" height="20" rx="4" fill={on} />
      <rect x="8" y="6" width="28" height="8" rx="2" fill={color} />
    </svg>
  );
}
