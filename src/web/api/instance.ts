/** Instance data that the server puts into every page. */

export interface Instance {
  readonly ambiente: string;
  readonly isDev: boolean;
  /** True if the users of `dev` have publicly known secrets. */
  readonly fixedSecrets: boolean;
  /** True if sign-in with a certificate is available. */
  readonly certificates: boolean;
  /** Text of the button that leads to the provider. Empty: there is none. */
  readonly provider: string;
  /** True if somebody can sign in with a password. */
  readonly passwords: boolean;
  /** True if the instance sends e-mails. */
  readonly sendsEmail: boolean;
}

const readMeta = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="catp:${name}"]`)?.content ?? '';

/** Returns true if the instance offers the password and this page, loaded before, does not. */
export async function hasFirstPassword(): Promise<boolean> {
  if (instance.passwords) return false;
  try {
    const answer = await fetch('/entrar', { headers: { Accept: 'text/html' }, cache: 'no-store' });
    return (await answer.text()).includes('<meta name="catp:senha" content="sim"'); // Trusted Types bar a parser
  } catch {
    return false; // the server is unreachable: the form reports it
  }
}

/** Reads the document lazily, so that importing this module needs no document. */
export const instance: Instance = {
  get ambiente() {
    return readMeta('ambiente');
  },
  get isDev() {
    return readMeta('modo') === 'dev';
  },
  get fixedSecrets() {
    return readMeta('segredos') === 'fixos';
  },
  get certificates() {
    return readMeta('certificado') === 'sim';
  },
  get provider() {
    return readMeta('provedor');
  },
  get passwords() {
    return readMeta('senha') === 'sim';
  },
  get sendsEmail() {
    return readMeta('email') === 'sim';
  },
};
