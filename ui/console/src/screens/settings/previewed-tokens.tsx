import type { TokenPreview } from '@keywright/sdk';
import { State, type Tone } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Claim = TokenPreview['access_token'][number];
type Mapping = TokenPreview['custom_claims'][number];

const TONES: Readonly<Record<Mapping['outcome'], Tone>> = {
  added: 'ok',
  no_value: 'plain',
  refused: 'bad',
};

interface Props {
  readonly preview: TokenPreview;
}

/** Shows the result of each custom claim, and then the tokens. */
export function PreviewedTokens({ preview }: Props) {
  const { say } = useTexts();
  const { access_token: access, id_token: identity, custom_claims: mapping } = preview;
  return (
    <div className="stack" role="status">
      <h3>{say('group.claims')}</h3>
      {mapping.length === 0 ? <p className="muted">{say('none')}</p> : <Mappings all={mapping} />}
      <h3>{say('tokenAccess')}</h3>
      <Claims claims={access} label={say('tokenAccess')} />
      {identity && (
        <>
          <h3>{say('tokenId')}</h3>
          <Claims claims={identity} label={say('tokenId')} />
        </>
      )}
    </div>
  );
}

function Mappings({ all }: { readonly all: readonly Mapping[] }) {
  const { say } = useTexts();
  return (
    <table className="plain-table" aria-label={say('group.claims')}>
      <thead>
        <tr>
          <th scope="col">{say('claim')}</th>
          <th scope="col">{say('claimFrom')}</th>
          <th scope="col">{say('claimOutcome')}</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ name, source, pointer, outcome, reason }) => (
          <tr key={name}>
            <th scope="row">
              <bdi className="mono">{name}</bdi>
            </th>
            <td>
              {say(`origin.${source}`)}{' '}
              {pointer !== undefined && <bdi className="mono muted">{pointer}</bdi>}
            </td>
            <td>
              <State word={say(`claim.${outcome}`)} tone={TONES[outcome]} />
              {reason !== undefined && <p className="error">{say('problem.claim_reserved')}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ClaimsProps {
  readonly claims: readonly Claim[];
  readonly label: string;
}

function Claims({ claims, label }: ClaimsProps) {
  const { say } = useTexts();
  return (
    <table className="plain-table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{say('claim')}</th>
          <th scope="col">{say('claimValue')}</th>
          <th scope="col">{say('claimFrom')}</th>
        </tr>
      </thead>
      <tbody>
        {claims.map(({ name, value, origin }) => (
          <tr key={name}>
            <th scope="row">
              <bdi className="mono">{name}</bdi>
            </th>
            <td>
              {value === undefined ? (
                <span className="muted">{say('claimHidden')}</span>
              ) : (
                <code dir="ltr">{JSON.stringify(value)}</code>
              )}
            </td>
            <td className="muted">{say(`origin.${origin}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
