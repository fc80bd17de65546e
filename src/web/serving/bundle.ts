/**
 * Builds what browsers load: a script with the frame, a script per page, small scripts for the handbook, a
 * style sheet, the icon. Every file name contains a hash of the content. `scripts/build.ts` runs it; from the
 * sources, the first request for a page runs it.
 */
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { BuildArtifact, BunPlugin } from 'bun';
import { ServedText } from '../../http/served-text.ts';
import { PAGES } from '../pages.ts';
import type { Asset, WebAssets, WebBundle } from './assets.ts';

const WEB = dirname(import.meta.dir);
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript;charset=utf-8',
  css: 'text/css;charset=utf-8',
  svg: 'image/svg+xml',
};

/** An asset of the executable. */
export interface BuiltAsset {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly brotli: Uint8Array<ArrayBuffer>;
}

export interface BuiltWeb extends Omit<WebAssets, 'assets'> {
  readonly pages: WebBundle['pages'];
  readonly assets: readonly BuiltAsset[];
}

/** Builds from the sources on the first request, without minification or compression. */
export function bundleFromSources(): WebBundle {
  let webAssets: Promise<WebAssets> | undefined;
  const make = async (): Promise<WebAssets> => {
    const { outputs, ...names } = await bundle(false);
    const assets = outputs.map(({ name, type, bytes }): [string, Asset] => [
      name,
      { type, text: once(bytes) },
    ]);
    return { ...names, assets: new Map(assets) };
  };
  return { pages: pageHeads(), assets: () => (webAssets ??= make()) };
}

function once(bytes: Uint8Array<ArrayBuffer>): Asset['text'] {
  const text = new ServedText(bytes);
  return () => Promise.resolve(text);
}

export async function buildWeb(): Promise<BuiltWeb> {
  const { outputs, ...names } = await bundle(true);
  const assets = outputs.map((output) => ({ ...output, brotli: compressed(output.bytes) }));
  return { ...names, pages: pageHeads(), assets };
}

async function bundle(minify: boolean) {
  const { outputs } = await Bun.build({
    entrypoints: ['main.tsx', 'help.ts', 'docs/try.tsx', 'styles/app.css', 'icon.svg'].map((file) =>
      join(WEB, file),
    ),
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify,
    plugins: [helpIndex()],
    publicPath: '/assets/',
    loader: { '.svg': 'file' },
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
  });
  const files = await Promise.all(
    outputs.map(async (output) => {
      const name = basename(output.path);
      const bytes = new Uint8Array(await output.arrayBuffer());
      return { name, kind: output.kind, type: TYPES[name.split('.').at(-1) ?? ''] ?? '', bytes };
    }),
  );
  // The entry of an icon is a script with its name.
  const outputFiles = files.filter(({ name }) => !/^icon-\w+\.js$/.test(name));
  const fileNamed = (start: RegExp, kind: BuildArtifact['kind']) => {
    const builtFile = outputFiles.find((file) => file.kind === kind && start.test(file.name));
    if (builtFile === undefined) throw new Error(`the bundle has no ${start}`);
    return builtFile;
  };
  const script = fileNamed(/^main-\w+\.js$/, 'entry-point');
  return {
    outputs: outputFiles.map(({ name, type, bytes }) => ({ name, type, bytes })),
    script: script.name,
    // Scripts that the first script imports, fetched in parallel with it.
    preloads: [...new TextDecoder().decode(script.bytes).matchAll(/from\s*"\/assets\/([\w-]+\.js)"/g)].map(
      ([, name = '']) => name,
    ),
    helpScript: fileNamed(/^help-\w+\.js$/, 'entry-point').name,
    tryScript: fileNamed(/^try-\w+\.js$/, 'entry-point').name,
    style: fileNamed(/^app-\w+\.css$/, 'asset').name,
    icon: fileNamed(/^icon-\w+\.svg$/, 'asset').name,
  };
}

/** Puts the index of the handbook in the place of its placeholder. */
const helpIndex = (): BunPlugin => ({
  name: 'help-index',
  setup(build) {
    build.onLoad({ filter: /[\\/]web[\\/]docs[\\/]help-index\.ts$/ }, async () => ({
      contents: `export const SECTIONS = ${JSON.stringify(await listHelpSections())};`,
      loader: 'js',
    }));
  },
});

const pageHeads = (): WebBundle['pages'] =>
  PAGES.map(({ address, title, onlyInDev }) => ({ address, title, onlyInDev: onlyInDev === true }));

const compressed = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  );

/** Loads the handbook only for a bundle: a server from the sources starts without its pages. */
const listHelpSections = async () => (await import('./help-sections.ts')).helpSections();
