import { Dialog } from '@base-ui/react/dialog';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Keyboard, type Open } from '../keyboard/keyboard.tsx';
import { classesOf } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Place } from '../parts/place.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { ToastProvider } from '../parts/toast.tsx';
import { useTexts } from '../texts/texts.tsx';
import { isRailNarrow, storeRail } from './appearance.ts';
import { CallerProvider, useCaller } from './caller.tsx';
import { CrumbLine } from './crumbs.tsx';
import { InsideGate } from './inside/gate.tsx';
import { usePath } from '../url/params.ts';
import { itemOf, Nav, useIsShown } from './nav.tsx';
import { Person } from './person.tsx';
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
  const [isNarrow, setNarrow] = useState(isRailNarrow);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [opened, setOpened] = useState<Open>();
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const { isPending } = useCaller();
  const shown = useRef(pathname);
  useEffect(() => {
    // On another screen, screen readers start at its top, and the menu of narrow screens closes.
    if (shown.current === pathname) return;
    shown.current = pathname;
    setMenuOpen(false);
    main.current?.focus();
  }, [pathname]);
  const open = (what: Open) => {
    setMenuOpen(false);
    setOpened(what);
  };
  const toggleRail = () => {
    storeRail(!isNarrow);
    setNarrow(!isNarrow);
  };
  return (
    <div className="shell" data-rail={isNarrow ? 'narrow' : undefined}>
      <a className="skip" href="#main" onClick={() => main.current?.focus()}>
        {say('skip')}
      </a>
      <nav className="rail" aria-label={say('mainMenu')}>
        <RailContent isNarrow={isNarrow} open={open} />
      </nav>
      <CrumbLine isNarrow={isNarrow} onNarrow={toggleRail} onKeyboard={() => open('help')} />
      <Keyboard open={opened} setOpen={setOpened} />
      <main
        id="main"
        ref={main}
        className={isPending ? 'content pending' : 'content'}
        tabIndex={-1}
      >
        <Screen />
      </main>
      <BottomBar open={open} isMenuOpen={isMenuOpen} onMore={() => setMenuOpen(true)} />
      <MenuSheet isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} open={open} />
    </div>
  );
}

/** A screen is shown together with what the caller is offered, so that no button moves it. */
function Screen() {
  const { problem, retry } = useCaller();
  if (!problem) return <Outlet />;
  return <ProblemNote problem={problem} route="me.permissions" onRetry={retry} isScreen />;
}

interface RailProps {
  readonly isNarrow?: boolean;
  readonly open: (what: Open) => void;
}

/** The tenant, the search, the screens, and the person. */
function RailContent({ isNarrow = false, open }: RailProps) {
  const { say } = useTexts();
  return (
    <>
      <TenantSwitcher />
      <button
        type="button"
        className="find"
        aria-keyshortcuts="Control+K"
        onClick={() => open('palette')}
      >
        <Icon name="search" />
        <span>
          <span>{say('palette')}</span>
        </span>
        <kbd dir="ltr" aria-hidden="true">
          {COMMAND_K}
        </kbd>
      </button>
      <Nav isNarrow={isNarrow} />
      <Person onKeyboard={() => open('help')} />
    </>
  );
}

const COMMAND_K = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '') ? '⌘K' : 'Ctrl K';

interface SheetProps extends RailProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The rail, on narrow screens. */
function MenuSheet({ isOpen, onClose, open }: SheetProps) {
  const { say } = useTexts();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(isNowOpen) => !isNowOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="rail-sheet">
          <Dialog.Title className="unseen">{say('menu')}</Dialog.Title>
          <nav className="rail" aria-label={say('mainMenu')}>
            <RailContent open={open} />
          </nav>
          <Dialog.Close
            className={`${classesOf('ghost', true, true)} close`}
            aria-label={say('close')}
          >
            <Icon name="x" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface BarProps extends RailProps {
  readonly isMenuOpen: boolean;
  readonly onMore: () => void;
}

/** The most used screens, for a thumb. */
function BottomBar({ open, isMenuOpen, onMore }: BarProps) {
  const { say } = useTexts();
  return (
    <nav className="bottom-bar" aria-label={say('shortMenu')}>
      <BarLink to="/" text={say('overview')} />
      <BarLink to="/users" text={say('users')} />
      <button type="button" onClick={() => open('palette')}>
        <Icon name="search" />
        <span>
          <span>{say('search')}</span>
        </span>
      </button>
      <BarLink to="/audit" text={say('logs')} />
      <button type="button" aria-haspopup="dialog" aria-expanded={isMenuOpen} onClick={onMore}>
        <Icon name="menu" />
        <span>
          <span>{say('more')}</span>
        </span>
      </button>
    </nav>
  );
}

function BarLink({ to, text }: { readonly to: string; readonly text: string }) {
  const { isLoaded } = useCaller();
  const isShown = useIsShown();
  const path = usePath();
  const item = itemOf(to);
  // The place of a link is free until it is known whether the caller can read its screen.
  if (!isLoaded) return <span />;
  if (!item || !isShown(item)) return null;
  return (
    <Place to={to} isCurrent={itemOf(path)?.to === to}>
      <Icon name={item.icon} />
      <span>
        <span>{text}</span>
      </span>
    </Place>
  );
}
