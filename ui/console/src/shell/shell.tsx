import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Keyboard, type Open } from '../keyboard/keyboard.tsx';
import { Button } from '../parts/button.tsx';
import { Place } from '../parts/place.tsx';
import { ToastProvider } from '../parts/toast.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Account } from './account.tsx';
import { CallerProvider } from './caller.tsx';
import { InsideGate } from './inside/gate.tsx';
import { Mark } from './mark.tsx';
import { Nav } from './nav.tsx';
import { TenantSwitcher } from './switcher/switcher.tsx';

/** The frame around every screen of a tenant. */
export function Shell() {
  return (
    <ToastProvider>
      <InsideGate>
        <CallerProvider>
          <Frame />
        </CallerProvider>
      </InsideGate>
    </ToastProvider>
  );
}

function Frame() {
  const { say } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [opened, setOpened] = useState<Open>();
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    // On another screen, screen readers start at its top, and the menu of narrow screens closes.
    if (shown.current === pathname) return;
    shown.current = pathname;
    setOpen(false);
    main.current?.focus();
  }, [pathname]);
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={() => main.current?.focus()}>
        {say('skip')}
      </a>
      <Bar isOpen={isOpen} setOpen={setOpen} onPanel={setOpened} />
      <Keyboard open={opened} setOpen={setOpened} />
      <Nav isOpen={isOpen} />
      <main id="main" ref={main} className="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

interface BarProps {
  /** Whether the menu of narrow screens is open. */
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly onPanel: (panel: Open) => void;
}

function Bar({ isOpen, setOpen, onPanel }: BarProps) {
  const { say } = useTexts();
  return (
    <header className="bar">
      <div className="menu-button">
        <Button
          icon="menu"
          aria-expanded={isOpen}
          aria-controls="nav"
          onClick={() => setOpen(!isOpen)}
        >
          {say('menu')}
        </Button>
      </div>
      <Place to="/" className="home" label="Keywright">
        <Mark />
        <span>Keywright</span>
      </Place>
      <TenantSwitcher />
      <div className="end">
        <div className="palette-button">
          <Button icon="search" aria-keyshortcuts="Control+K" onClick={() => onPanel('palette')}>
            {say('palette')}
          </Button>
        </div>
        <Account onKeyboard={() => onPanel('help')} />
      </div>
    </header>
  );
}
