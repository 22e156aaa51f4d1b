let list: Promise<ReadonlySet<string>> | undefined;

/** Whether a password is among the 49,000 most common ones, ignoring case. Loaded on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= readList();
  return (await list).has(password.toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords: readonly string[] = dictionary['passwords-common'];
  return new Set(passwords.filter((one) => one.length >= SHORTEST).map((one) => one.toLowerCase()));
}

/** No tenant accepts a shorter password. */
const SHORTEST = 8;
