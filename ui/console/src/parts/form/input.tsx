import { useTexts } from '../../texts/texts.tsx';
import { Checks, Choice, hasCards, Switch } from './choices.tsx';
import { ColorLine } from './color-line.tsx';
import { isOfNames, NameField } from './combobox.tsx';
import { commonOf, type InputProps } from './control.ts';
import { directionOf } from './direction.ts';
import { Days, Duration } from './duration.tsx';
import { EventTree } from './event-tree.tsx';
import { NewPassword } from './new-password.tsx';
import { placeholderOf } from './placeholder.ts';
import { Rows } from './rows.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { UserField } from './user-field.tsx';
import { isSwitch, textOfValue } from './values.ts';

/** The native control of a kind of field, with the limits of the contract. */
export function Input(props: InputProps) {
  switch (props.facts.kind) {
    case 'choices':
      if (isOfNames(props.facts)) return <NameField {...props} />;
      return props.facts.name === 'events' ? <EventTree {...props} /> : <Checks {...props} />;
    case 'boolean':
      return isSwitch(props.facts) ? <Switch {...props} /> : <Choice {...props} />;
    case 'choice':
      if (isOfNames(props.facts) && !hasCards(props.facts, props.value)) {
        return <NameField {...props} />;
      }
      return <Choice {...props} />;
    case 'duration':
      return <Duration {...props} />;
    case 'days':
      return <Days {...props} />;
    case 'list':
      return <Rows {...props} />;
    case 'scopes':
      return <ScopePicker {...props} />;
    case 'lines':
    case 'json':
      return <Lines {...props} />;
    case 'color':
      return <ColorLine {...props} />;
    case 'secret':
      if (props.facts.isPassword) return <NewPassword {...props} />;
      return props.facts.isLong ? <Lines {...props} /> : <Line {...props} />;
    case 'text':
      return props.facts.finds ? <UserField {...props} /> : <Line {...props} />;
    case 'number':
    case 'date':
      return <Line {...props} />;
  }
}

const TYPES = { text: 'text', secret: 'password', number: 'number', date: 'date' } as const;
const EMAILS = /email|from_address|reply_to/;

function Line(props: InputProps) {
  const { facts, value } = props;
  const kind = facts.kind as keyof typeof TYPES;
  const { say, locale } = useTexts();
  const { min, max, minLength, maxLength, pattern } = facts;
  return (
    <input
      {...commonOf(props)}
      className="input"
      type={facts.isEmail || EMAILS.test(facts.name) ? 'email' : TYPES[kind]}
      dir={kind === 'number' ? undefined : directionOf(facts)}
      defaultValue={textOfValue(facts, value)}
      {...{ min, max, minLength, maxLength, pattern }}
      placeholder={placeholderOf(facts, say, locale)}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
    />
  );
}

function Lines(props: InputProps) {
  const { facts, value } = props;
  const isCode = facts.kind !== 'lines';
  return (
    <textarea
      {...commonOf(props)}
      className={isCode ? 'input mono' : 'input'}
      dir={isCode ? 'ltr' : 'auto'}
      defaultValue={textOfValue(facts, value)}
      maxLength={facts.kind === 'lines' ? facts.maxLength : undefined}
      spellCheck={!isCode}
    />
  );
}
