import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { AnswerOf, RouteId } from '../../api/routes.ts';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import type { Body } from '../../parts/form/values.ts';
import { Page } from '../../parts/page.tsx';
import { Secret } from '../../parts/secret.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useToast } from '../../parts/toast.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

interface Props<Id extends RouteId> {
  readonly route: Id;
  readonly facts: readonly FieldFacts[];
  readonly fields?: readonly string[];
  readonly fixed?: Body;
  readonly title: string;
  /** The word on the button. Default: the title. */
  readonly submit?: string;
  readonly about?: ReactNode;
  readonly from: { readonly to: string; readonly title: string };
  readonly nameOf: (answer: AnswerOf<Id>) => string;
  /** The message after success, with the record's name. Default: that it was created. */
  readonly done?: TextKey;
  /** Path to go to afterward, below the tenant. */
  readonly to: (answer: AnswerOf<Id>) => string;
  /** Above the form. */
  readonly notes?: ReactNode;
  /** Whether the form waits for what it offers. */
  readonly isLoading?: boolean;
  /** What is shown once. */
  readonly secretOf?: (answer: AnswerOf<Id>) => string | undefined;
}

interface Created {
  readonly name: string;
  readonly to: string;
  readonly secret: string;
}

/** A screen that creates a record, and shows its secret if it has one. */
export function Creation<Id extends RouteId>(props: Props<Id>) {
  const { route, facts, fields, fixed, title, about, from, nameOf, to, secretOf } = props;
  const { done = 'createdNamed', notes, submit = title, isLoading = false } = props;
  const { say } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const toast = useToast();
  const [created, setCreated] = useState<Created | undefined>();
  const goTo = (place: string) => void navigate({ to: `/t/${tenant}${place}` });
  const finish = (answer: AnswerOf<Id>) => {
    const name = nameOf(answer);
    toast(say(done, { name }));
    const secret = secretOf?.(answer);
    if (secret === undefined) goTo(to(answer));
    else setCreated({ name, to: to(answer), secret });
  };
  return (
    <Page title={title} about={about} from={from}>
      <div className="card stack narrow">
        {notes}
        {isLoading ? (
          <Skeleton rows={6} />
        ) : (
          <ContractForm
            route={route}
            facts={facts}
            {...(fields && { fields })}
            {...(fixed && { fixed })}
            submit={submit}
            onDone={finish}
          />
        )}
      </div>
      {created && (
        <Secret
          title={say('secretOf', { name: created.name })}
          secret={created.secret}
          fileName={`${created.name}.txt`}
          onStored={() => goTo(created.to)}
        />
      )}
    </Page>
  );
}
