/** What the server says of itself in every page. */

export interface Instance {
  readonly ambiente: string;
  readonly isDev: boolean;
  /** Whether the users of `dev` have secrets that everybody knows. */
  readonly fixedSecrets: boolean;
  /** Whether somebody can sign in with a certificate. */
  readonly certificates: boolean;
}

const said = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="catp:${name}"]`)?.content ?? '';

export const instance: Instance = {
  ambiente: said('ambiente'),
  isDev: said('modo') === 'dev',
  fixedSecrets: said('segredos') === 'fixos',
  certificates: said('certificado') === 'sim',
};
