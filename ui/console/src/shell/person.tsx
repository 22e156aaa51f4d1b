import { Menu } from '@base-ui/react/menu';
import { type ReactNode, useState } from 'react';
import { useIssuer } from '../api/issuer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { LOCALES, type Locale, nameOfLanguage } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { HOME } from '../url/home.ts';
import { isInside } from '../url/inside.ts';
import { useTenant } from '../url/params.ts';
import {
  applyDensity,
  applyTheme,
  DENSITIES,
  readDensity,
  readTheme,
  THEMES,
} from './appearance.ts';
import { useCaller } from './caller.tsx';
import { useLanguage } from './language.tsx';

interface Props {
  /** Shows what keys do. */
  readonly onKeyboard: () => void;
}

/** Shows who is signed in. The menu has their account, the appearance of the console, and sign-out. */
export function Person({ onKeyboard }: Props) {
  const { say } = useTexts();
  const { id, name, picture } = useCaller();
  const about = useAbout();
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="person">
        <span className="unseen">{say('account')}</span>
        <Avatar id={id} name={name} picture={picture} />
        <span className="name">
          {/* If there is not enough room, the end is cut, whatever the direction. `auto` ignores the text of a `bdi`. */}
          <span dir="auto">
            <span>{name}</span>
          </span>
          {about !== undefined && (
            <span dir="auto">
              <span>{about}</span>
            </span>
          )}
        </span>
        <Icon name="chevrons-up-down" />
      </Menu.Trigger>
      <Popup side="top">
        <p className="menu-head">
          <small>{say('loggedInAs')}</small>
          <bdi>{name}</bdi>
        </p>
        <AccountLink to="account" icon="circle-user" text={say('ownAccount')} />
        <Menu.Separator />
        <Appearance />
        <Menu.Separator />
        <LanguageChoice />
        <Menu.Item onClick={onKeyboard}>
          <Icon name="keyboard" />
          {say('keyboard')}
          <kbd>?</kbd>
        </Menu.Item>
        <Menu.Separator />
        <AccountLink to="oauth/logout" icon="log-out" text={say('signOut')} />
      </Popup>
    </Menu.Root>
  );
}

function Appearance() {
  const { say } = useTexts();
  return (
    <>
      <Choices
        title={say('theme')}
        values={THEMES}
        nameOf={(theme) => say(`theme.${theme}`)}
        read={readTheme}
        onChoose={applyTheme}
      />
      <Choices
        title={say('density')}
        values={DENSITIES}
        nameOf={(density) => say(`density.${density}`)}
        read={readDensity}
        onChoose={applyDensity}
      />
    </>
  );
}

/** Returns the identifier next to a name, or else what the caller administers. */
function useAbout(): string | undefined {
  const { say } = useTexts();
  const { identifier, roles, isSystemAdministrator } = useCaller();
  if (identifier !== undefined) return identifier;
  if (isSystemAdministrator) return say('systemAdministrator');
  return roles.includes('admin') ? say('administrator') : undefined;
}

interface PopupProps {
  readonly side: 'top' | 'bottom' | 'inline-end';
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

export function Popup({ side, align = 'start', children }: PopupProps) {
  return (
    <Menu.Portal>
      <Menu.Positioner className="floating" side={side} align={align} sideOffset={6}>
        <Menu.Popup className="menu">{children}</Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  );
}

interface LinkProps {
  /** Below the issuer. */
  readonly to: string;
  readonly icon: IconName;
  readonly text: string;
}

function AccountLink({ to, icon, text }: LinkProps) {
  const tenant = useTenant();
  const { data: issuer } = useIssuer(isInside ? HOME : tenant);
  if (issuer === undefined) return null;
  return (
    <Menu.LinkItem href={`${issuer}/${to}`}>
      <Icon name={icon} />
      {text}
    </Menu.LinkItem>
  );
}

interface ChoicesProps<Value extends string> {
  readonly title: string;
  readonly values: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly read: () => Value;
  readonly onChoose: (value: Value) => void;
}

/** A few choices next to each other. */
function Choices<Value extends string>(props: ChoicesProps<Value>) {
  const { title, values, nameOf, read, onChoose } = props;
  const [chosen, setChosen] = useState(read);
  return (
    <Menu.Group className="menu-choices">
      <Menu.GroupLabel>{title}</Menu.GroupLabel>
      <Menu.RadioGroup
        className="segments"
        value={chosen}
        onValueChange={(value: Value) => {
          onChoose(value);
          setChosen(value);
        }}
      >
        {values.map((value) => (
          <Menu.RadioItem key={value} value={value} closeOnClick={false}>
            {nameOf(value)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Group>
  );
}

function LanguageChoice() {
  const { say } = useTexts();
  const { locale, choose } = useLanguage();
  return (
    <Menu.SubmenuRoot>
      <Menu.SubmenuTrigger>
        <Icon name="languages" />
        {say('language')}
        <span className="muted">{nameOfLanguage(locale)}</span>
        <Icon name="chevron-right" />
      </Menu.SubmenuTrigger>
      <Popup side="inline-end" align="end">
        <Menu.RadioGroup value={locale} onValueChange={(language: Locale) => choose(language)}>
          {LOCALES.map((language) => (
            <Menu.RadioItem key={language} value={language} lang={language} closeOnClick>
              {nameOfLanguage(language)}
              <Menu.RadioItemIndicator>
                <Icon name="check" />
              </Menu.RadioItemIndicator>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Popup>
    </Menu.SubmenuRoot>
  );
}
