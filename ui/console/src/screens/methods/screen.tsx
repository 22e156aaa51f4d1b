import type { Tenant } from '@keywright/sdk';
import { type ReactNode, useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import { classesOf } from '../../parts/button.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import type { Tone } from '../../parts/state.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { Effects } from '../settings/effects.tsx';
import { useFieldsOf } from './fields.ts';
import { MethodCard } from './method-card.tsx';
import {
  type CardId,
  changeOf,
  isLastMethod,
  type MethodState,
  methodStates,
  type Need,
  SIGN_IN_METHODS,
  type SignInMethod,
} from './methods.ts';
import { LastMethodDialog, TurnDialog, useTurn } from './turning.tsx';

const ICONS: Readonly<Record<CardId, IconName>> = {
  password: 'lock',
  email: 'mail',
  sms: 'smartphone',
  passkey: 'fingerprint-pattern',
  providers: 'log-in',
  mfa: 'shield-check',
  signUp: 'user-plus',
  accounts: 'circle-user',
};
const PROVIDERS = { query: { limit: 100 } };

/** How people sign in: a card for each method, with what it still needs. */
export function SignInMethods() {
  const { say } = useTexts();
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  return (
    <Loaded query={query} route="tenants.get" isScreen>
      {(record) => (
        <Page title={say('signInMethods')} about={say('methodsHint')}>
          <Cards record={record} />
        </Page>
      )}
    </Loaded>
  );
}

interface Props {
  readonly record: Tenant;
}

function Cards({ record }: Props) {
  const tenant = useTenant();
  const providers = useCall(tenant, 'providers.list', PROVIDERS);
  return (
    <Loaded query={providers} route="providers.list" rows={8}>
      {({ items }) => {
        const active = items.filter(({ is_active: isActive }) => isActive);
        const states = methodStates(record, active.length);
        return (
          <div className="stack methods">
            {SIGN_IN_METHODS.map((method) => (
              <SignInCard
                key={method}
                method={method}
                record={record}
                states={states}
                names={active.map(({ name }) => name)}
              />
            ))}
            <SecondStepCard record={record} />
            <SignUpCard record={record} />
            <SettingsCard card="accounts" record={record} />
          </div>
        );
      }}
    </Loaded>
  );
}

interface SignInProps extends Props {
  readonly method: SignInMethod;
  readonly states: Readonly<Record<SignInMethod, MethodState>>;
  /** Of the enabled identity providers. */
  readonly names: readonly string[];
}

function SignInCard({ method, record, states, names }: SignInProps) {
  const { say } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const name = say(`method.${method}`);
  const { turn, isPending, error } = useTurn(record, name);
  const { isOn, need } = states[method];
  const turnOrAsk = (next: boolean) => {
    if (next) turn(changeOf(record.config, method, true), true);
    else setAsking(true);
  };
  const close = () => setAsking(false);
  const isLast = isLastMethod(states, method);
  return (
    <SettingsCard
      card={method}
      record={record}
      about={useAbout(method, record, names)}
      state={
        isOn ? (need ? ['methodNotReady', 'warn'] : ['methodOn', 'ok']) : ['methodOff', 'plain']
      }
      turn={{
        isOn,
        // The service accepts countries, not an empty list, as codes by SMS.
        isDisabled: isPending || (method === 'sms' && !isOn && need !== undefined),
        onTurn: turnOrAsk,
      }}
      missing={need && <Missing method={method} need={need} />}
      problem={error && <ProblemNote problem={error} route="tenants.update" />}
    >
      {isAsking && isLast && <LastMethodDialog name={name} onClose={close} />}
      {isAsking && !isLast && (
        <TurnDialog
          record={record}
          method={method}
          name={name}
          change={changeOf(record.config, method, false)}
          isOn={false}
          onClose={close}
        />
      )}
    </SettingsCard>
  );
}

function useAbout(method: SignInMethod, { config }: Tenant, names: readonly string[]): string {
  const { say } = useTexts();
  const { password_min_length: count, magic_link_url: link } = config;
  if (method === 'password') return say('about.password', { count });
  if (method === 'email' && link !== null) return say('about.emailLink');
  if (method === 'providers' && names.length > 0) {
    return say('methodEnabled', { names: names.join(', ') });
  }
  return say(`about.${method}`);
}

/** What a method needs, and the way to it. */
function Missing({ method, need }: { readonly method: CardId; readonly need: Need }) {
  const { say } = useTexts();
  const { what, to, tab } = need;
  const isInSettings = what === 'countries';
  const search = isInSettings ? { open: method } : tab === undefined ? {} : { tab };
  return (
    <p className="missing">
      <Icon name="triangle-alert" />
      <span>{say(`needs.${what}`)}</span>
      {(to !== undefined || isInSettings) && (
        <Place to={to ?? '/methods'} search={search} className={classesOf('plain', true)}>
          {say('methodSetUp')}{' '}
          <span className="unseen">{say(`method.${method}` as 'method.sms')}</span>
        </Place>
      )}
    </p>
  );
}

/** A second step is required for everyone, for the users of a role, or not at all. */
function SecondStepCard({ record }: Props) {
  const { say } = useTexts();
  const [next, setNext] = useState<boolean>();
  const { require_mfa: isOn, require_mfa_role: role } = record.config;
  const word = isOn ? say('mfaAll') : role === null ? say('mfaOptional') : say('mfaRole', { role });
  return (
    <SettingsCard
      card="mfa"
      record={record}
      word={[word, isOn || role !== null ? 'ok' : 'plain']}
      turn={{ isOn, isDisabled: false, onTurn: setNext }}
    >
      {next !== undefined && (
        <TurnDialog
          record={record}
          name={say('mfaForAll')}
          change={{ require_mfa: next }}
          isOn={next}
          onClose={() => setNext(undefined)}
        />
      )}
    </SettingsCard>
  );
}

function SignUpCard({ record }: Props) {
  const { say } = useTexts();
  const { turn, isPending, error } = useTurn(record, say('method.signUp'));
  const { allow_registration: isOn } = record.config;
  return (
    <SettingsCard
      card="signUp"
      record={record}
      state={isOn ? ['methodOn', 'ok'] : ['methodOff', 'plain']}
      turn={{
        isOn,
        isDisabled: isPending,
        onTurn: (next) => turn({ allow_registration: next }, next),
      }}
      problem={error && <ProblemNote problem={error} route="tenants.update" />}
    />
  );
}

interface CardProps extends Props {
  readonly card: CardId;
  readonly about?: string;
  readonly state?: readonly [key: 'methodOn' | 'methodOff' | 'methodNotReady', tone: Tone];
  /** Of a card whose state has its own words. */
  readonly word?: readonly [word: string, tone: Tone];
  readonly turn?: Parameters<typeof MethodCard>[0]['turn'];
  readonly missing?: ReactNode;
  readonly problem?: ReactNode;
  readonly children?: ReactNode;
}

/** A card with the settings of one method. Callers who cannot change sign-in see it without the switch. */
function SettingsCard({ card, record, about, state, word, turn, children, ...rest }: CardProps) {
  const { say } = useTexts();
  const { can } = useCaller();
  const shown = word ?? (state && ([say(state[0]), state[1]] as const));
  return (
    <>
      <MethodCard
        id={card}
        icon={ICONS[card]}
        title={say(`method.${card}`)}
        about={about ?? say(`about.${card}` as 'about.mfa')}
        {...(shown && { state: shown })}
        turn={turn && { ...turn, isDisabled: turn.isDisabled || !can('write:logins') }}
        settings={() => <Settings card={card} record={record} />}
        {...rest}
      />
      {children}
    </>
  );
}

function Settings({ card, record }: Props & { readonly card: CardId }) {
  const { say } = useTexts();
  const { can } = useCaller();
  const toast = useToast();
  const fields = useFieldsOf(card, record).filter(({ scope = 'write:tenant' }) => can(scope));
  if (fields.length === 0) return <p className="muted">{say('methodNoSettings')}</p>;
  return (
    <div className="stack narrow">
      <ContractForm
        route="tenants.update"
        params={{ tenant_id: record.id }}
        facts={fields}
        present={{ ...record.config }}
        part="config"
        submit={say('save')}
        preview={(body) => <Effects id={record.id} draft={body} />}
        onDone={() => toast(say('saved'))}
      />
    </div>
  );
}
