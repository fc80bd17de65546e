/** The assets that browsers load, from the build or from the sources. */
import type { ServedText } from '../../http/served-text.ts';

export interface Asset {
  readonly type: string;
  readonly text: () => Promise<ServedText>;
}

export interface WebAssets {
  /** Names of the assets that every page loads first. */
  readonly script: string;
  /** Scripts that the first one imports immediately. */
  readonly preloads: readonly string[];
  /** The script of `/ajuda`. */
  readonly helpScript: string;
  /** The script of an operation in the reference. */
  readonly tryScript: string;
  readonly style: string;
  readonly icon: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

export interface PageHead {
  /** `/produtos/:cpfCnpjRaiz/:codigo` */
  readonly address: string;
  readonly title: string;
  readonly onlyInDev: boolean;
}

export interface WebBundle {
  readonly pages: readonly PageHead[];
  readonly assets: () => Promise<WebAssets>;
}
