/** Assets of the executable, read on their first request. */
import { ServedText } from '../../http/served-text.ts';
import type { Asset, PageHead, WebAssets, WebBundle } from './assets.ts';

export interface Embedded extends Omit<WebAssets, 'assets'> {
  readonly pages: readonly PageHead[];
  /** Returns the name, the type, and the paths of the raw and the compressed bytes inside the executable. */
  readonly assets: () => readonly (readonly [name: string, type: string, file: string, brotli: string])[];
}

export function embeddedBundle({ pages, assets, ...names }: Embedded): WebBundle {
  let all: ReadonlyMap<string, Asset> | undefined;
  const listed = () =>
    new Map(
      assets().map(([name, type, file, brotli]): [string, Asset] => [
        name,
        { type, text: once(file, brotli) },
      ]),
    );
  return { pages, assets: () => Promise.resolve({ ...names, assets: (all ??= listed()) }) };
}

/** Reads a file once and keeps its content of some KB. */
function once(file: string, brotli: string): () => Promise<ServedText> {
  const read = async (): Promise<ServedText> =>
    new ServedText(await Bun.file(file).bytes(), { brotli: await Bun.file(brotli).bytes() });
  let text: Promise<ServedText> | undefined;
  return () => (text ??= read());
}
