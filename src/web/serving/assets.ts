/** What browsers load, from wherever it was made. */

export interface Asset {
  readonly type: string;
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** Compressed when the executable was built. */
  readonly brotli?: () => Promise<Uint8Array<ArrayBuffer>>;
}

export interface WebAssets {
  /** Names of the assets that every page begins with. */
  readonly script: string;
  /** Scripts that the first one imports at once. */
  readonly preloads: readonly string[];
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
