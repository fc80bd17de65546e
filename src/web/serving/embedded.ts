/** What the build has put into the executable, read when it is asked for. */
import type { Asset, PageHead, WebAssets, WebBundle } from './assets.ts';

export interface Embedded extends Omit<WebAssets, 'assets'> {
  readonly pages: readonly PageHead[];
  /** Name, type, and where the bytes and the compressed bytes stand inside of the executable. */
  readonly assets: readonly (readonly [name: string, type: string, file: string, brotli: string])[];
}

export function embeddedBundle({ pages, assets, ...names }: Embedded): WebBundle {
  const all = new Map(
    assets.map(([name, type, file, brotli]): [string, Asset] => [
      name,
      { type, bytes: once(file), brotli: once(brotli) },
    ]),
  );
  return { pages, assets: () => Promise.resolve({ ...names, assets: all }) };
}

/** Some KB each; kept once somebody has asked. */
function once(file: string): () => Promise<Uint8Array<ArrayBuffer>> {
  let read: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return () => (read ??= Bun.file(file).bytes());
}
