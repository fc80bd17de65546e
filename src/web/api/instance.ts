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

/** Read when it is asked for: what only imports it needs no document. */
export const instance: Instance = {
  get ambiente() {
    return said('ambiente');
  },
  get isDev() {
    return said('modo') === 'dev';
  },
  get fixedSecrets() {
    return said('segredos') === 'fixos';
  },
  get certificates() {
    return said('certificado') === 'sim';
  },
};
