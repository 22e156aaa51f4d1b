import { useCallback, useId, useRef, useState } from 'react';
import { useIssuer } from '../api/issuer.ts';
import { Button, classesOf } from '../parts/button.tsx';
import { LOCALES, type Locale, nameOfLanguage } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { HOME } from '../url/home.ts';
import { isInside } from '../url/inside.ts';
import { useTenant } from '../url/params.ts';
import { useCaller } from './caller.tsx';
import { useLanguage } from './language.tsx';
import { useClosing } from './panel.ts';
import { applyTheme, readTheme, THEMES, type Theme } from './theme.ts';

interface Props {
  /** Shows what keys do. */
  readonly onKeyboard: () => void;
}

/** Shows who is logged in, the appearance of the console, and ways to log out. */
export function Account({ onKeyboard }: Props) {
  const { say } = useTexts();
  const { name } = useCaller();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useClosing(frame, isOpen, close);
  return (
    <div
      ref={frame}
      className="account"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        frame.current?.querySelector('button')?.focus();
      }}
    >
      <Button
        icon="user"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {say('account')}
      </Button>
      {isOpen && (
        <div id={id} className="panel">
          <p>
            <span className="muted">{say('loggedInAs')}</span>
            <br />
            <bdi>{name}</bdi>
          </p>
          <ThemeChoice />
          <LanguageChoice />
          <Button
            onClick={() => {
              setOpen(false);
              onKeyboard();
            }}
          >
            {say('keyboard')}
          </Button>
          <AccountLinks />
        </div>
      )}
    </div>
  );
}

function AccountLinks() {
  const { say } = useTexts();
  const tenant = useTenant();
  const { data: issuer } = useIssuer(isInside ? HOME : tenant);
  if (issuer === undefined) return null;
  return (
    <div className="actions">
      <a className={classesOf('plain')} href={`${issuer}/account`}>
        {say('ownAccount')}
      </a>
      <a className={classesOf('plain')} href={`${issuer}/oauth/logout`}>
        {say('signOut')}
      </a>
    </div>
  );
}

function ThemeChoice() {
  const { say } = useTexts();
  const [theme, setTheme] = useState<Theme>(readTheme);
  const choose = (value: string) => {
    const chosen = THEMES.find((choice) => choice === value) ?? 'auto';
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <label className="field">
      {say('theme')}
      <select className="select" value={theme} onChange={(event) => choose(event.target.value)}>
        {THEMES.map((choice) => (
          <option key={choice} value={choice}>
            {say(`theme.${choice}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

function LanguageChoice() {
  const { say } = useTexts();
  const { locale, choose } = useLanguage();
  return (
    <label className="field">
      {say('language')}
      <select
        className="select"
        value={locale}
        onChange={(event) => choose(event.target.value as Locale)}
      >
        {LOCALES.map((language) => (
          <option key={language} value={language} lang={language}>
            {nameOfLanguage(language)}
          </option>
        ))}
      </select>
    </label>
  );
}
