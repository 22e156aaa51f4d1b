import type { Agent } from '@keywright/sdk';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/form/select.tsx';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import {
  ISSUER_PRESETS,
  type IssuerPreset,
  presetOf,
  trustOf,
  type TypedTrust,
} from './issuer-presets.ts';

interface Props {
  readonly agent: Agent;
  /** The issuer of the tenant, which its tokens name. */
  readonly audience: string;
}

/** Adds a trusted issuer, for callers who are allowed to. */
export function AddIssuer({ agent, audience }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const [preset, setPreset] = useState<IssuerPreset>('github');
  if (!can('write:agents')) return null;
  return (
    <Card title={say('issuerAdd')} about={say('issuerAddHint')}>
      <div className="stack narrow">
        <div className="field">
          <Select
            label={say('issuerKind')}
            value={preset}
            choices={ISSUER_PRESETS.map((name) => [
              name,
              presetOf(name).name ?? say('otherIssuer'),
            ])}
            onChoose={setPreset}
          />
        </div>
        <IssuerForm
          // After an issuer was added, the form is empty again.
          key={`${preset} ${agent.trusts.length}`}
          agent={agent}
          preset={preset}
          audience={audience}
        />
      </div>
    </Card>
  );
}

const CONTROL = { dir: 'ltr', autoComplete: 'off', spellCheck: false, maxLength: 512 } as const;

interface FormProps extends Props {
  readonly preset: IssuerPreset;
}

function IssuerForm({ agent, preset, audience }: FormProps) {
  const { say } = useTexts();
  const toast = useToast();
  const { issuer, issuerExample } = presetOf(preset);
  const [typed, setTyped] = useState<TypedTrust>({ issuer, audience, subject: '', claims: {} });
  const change = useChange(useTenant(), 'agents.update', () => toast(say('saved')));
  const trusts = [...agent.trusts, trustOf(preset, typed)];
  const input = { params: { agent_id: agent.id }, body: { trusts } };
  const errorAt = (name: string) =>
    change.error?.errors.find(({ path }) => path.endsWith(`/${name}`))?.message;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending) change.mutate(input);
  };
  return (
    <form className="form" onSubmit={send}>
      <TypedField
        label={say('issuer')}
        value={typed.issuer}
        onType={(text) => setTyped({ ...typed, issuer: text })}
        error={errorAt('issuer')}
        control={{ ...CONTROL, required: true, placeholder: issuerExample }}
      />
      <Identity preset={preset} typed={typed} onType={setTyped} errorAt={errorAt} />
      <TypedField
        label={say('audience')}
        value={typed.audience}
        onType={(text) => setTyped({ ...typed, audience: text })}
        error={errorAt('audience')}
        hint={say('audienceHint')}
        control={{ ...CONTROL, required: true }}
      />
      {change.error && <ProblemNote problem={change.error} route="agents.update" />}
      <div className="actions">
        <Button type="submit" kind="solid" disabled={change.isPending}>
          {say('issuerAdd')}
        </Button>
      </div>
      <ApiCall route="agents.update" input={input} />
    </form>
  );
}

interface IdentityProps {
  readonly preset: IssuerPreset;
  readonly typed: TypedTrust;
  readonly onType: (typed: TypedTrust) => void;
  readonly errorAt: (name: string) => string | undefined;
}

/** The fields that identify the workload. */
function Identity({ preset, typed, onType, errorAt }: IdentityProps) {
  const { say } = useTexts();
  const { subject, claims = {} } = presetOf(preset);
  return (
    <>
      {subject !== undefined && (
        <TypedField
          label={say('tokenSubject')}
          value={typed.subject}
          onType={(text) => onType({ ...typed, subject: text })}
          error={errorAt('subject')}
          hint={say(`workload.${preset}`)}
          control={{ ...CONTROL, required: true, placeholder: subject }}
        />
      )}
      {Object.entries(claims).map(([name, example], index) => (
        <TypedField
          key={name}
          label={say('claimNamed', { name })}
          value={typed.claims[name] ?? ''}
          onType={(text) => onType({ ...typed, claims: { ...typed.claims, [name]: text } })}
          {...(index === 0 && { hint: say(`workload.${preset}`) })}
          control={{ ...CONTROL, required: index === 0, placeholder: example }}
        />
      ))}
    </>
  );
}
