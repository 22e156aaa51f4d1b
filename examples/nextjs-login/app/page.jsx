import { redirect } from 'next/navigation';
import { auth, logoutUrl, signIn, signOut } from '../auth.js';

async function logIn() {
  'use server';
  await signIn('keywright');
}

async function logOut() {
  'use server';
  const url = await logoutUrl();
  await signOut({ redirect: false });
  redirect(url);
}

export default async function Home() {
  const session = await auth();
  if (!session) {
    return (
      <form action={logIn}>
        <h1>Welcome</h1>
        <button id="login">Sign in</button>
      </form>
    );
  }
  const { id, name, email } = session.user;
  return (
    <form action={logOut}>
      <h1>Hello {name ?? email ?? id}</h1>
      <p>
        You are <code id="sub">{id}</code>.
      </p>
      <button id="logout">Sign out</button>
    </form>
  );
}
